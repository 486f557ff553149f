"""The first tables."""

import django.core.validators
import django.db.models.deletion
import django.utils.timezone
import league.models.club
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Campaign',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('slug', models.SlugField(max_length=40, verbose_name='address')),
                ('game', models.CharField(choices=[('giro', "Giro d'Italia: The Game")], default='giro', max_length=16)),
                ('kind', models.CharField(choices=[('stage_race', 'Stage race')], default='stage_race', max_length=16)),
                ('gc_loop', models.PositiveSmallIntegerField(default=18, validators=[django.core.validators.MinValueValidator(12), django.core.validators.MaxValueValidator(30)], verbose_name='squares of the GC track')),
                ('stage_win', models.PositiveSmallIntegerField(default=2, validators=[django.core.validators.MaxValueValidator(9)], verbose_name='squares for a stage win')),
                ('bonus', models.PositiveSmallIntegerField(default=1, validators=[django.core.validators.MaxValueValidator(9)], verbose_name='squares for a bonus sprint')),
                ('time_limit', models.PositiveSmallIntegerField(default=3, validators=[django.core.validators.MaxValueValidator(20)], verbose_name='turns after the peloton')),
                ('cap_road', models.PositiveSmallIntegerField(default=15, validators=[django.core.validators.MaxValueValidator(99)], verbose_name='energy kept after a road stage, at most')),
                ('cap_time_trial', models.PositiveSmallIntegerField(default=5, validators=[django.core.validators.MaxValueValidator(99)], verbose_name='energy kept after a time trial, at most')),
                ('riders_per_player', models.PositiveSmallIntegerField(default=1, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(3)], verbose_name='riders per player')),
                ('team_classification', models.BooleanField(default=True, verbose_name='team classification')),
                ('team_count', models.PositiveSmallIntegerField(blank=True, help_text='Empty: three, or as many as the smallest team has at the start.', null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(3)], verbose_name='riders who count for a team')),
                ('revision', models.PositiveIntegerField(default=0)),
                ('counted_revision', models.PositiveIntegerField(default=0)),
                ('counted_at', models.DateTimeField(blank=True, null=True)),
                ('changed_at', models.DateTimeField(blank=True, null=True)),
                ('count_error', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                'ordering': ('-created_at', '-pk'),
            },
        ),
        migrations.CreateModel(
            name='Club',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('slug', models.SlugField(max_length=40, unique=True, verbose_name='address')),
                ('motto', models.CharField(blank=True, max_length=120, verbose_name='motto')),
                ('time_zone', models.CharField(default='Europe/Rome', max_length=64, validators=[league.models.club.valid_zone], verbose_name='time zone')),
                ('language', models.CharField(choices=[('en', 'English')], default='en', max_length=10, verbose_name='language')),
                ('is_public', models.BooleanField(default=True, help_text='Closed: only members see the pages of the club.', verbose_name='open to everybody')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                'ordering': ('name', 'pk'),
            },
        ),
        migrations.CreateModel(
            name='Player',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('name_key', models.CharField(db_index=True, editable=False, max_length=160)),
                ('note', models.CharField(blank=True, help_text='For namesakes: a nickname, a town, a year.', max_length=60, verbose_name='told apart by')),
                ('merged_at', models.DateTimeField(blank=True, null=True)),
                ('left_at', models.DateTimeField(blank=True, null=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='players', to='league.club')),
                ('merged_into', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='merged', to='league.player')),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='players', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('name_key', 'pk'),
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('member', 'Member'), ('commissaire', 'Commissaire'), ('organiser', 'Organiser')], default='member', max_length=12)),
                ('note', models.CharField(blank=True, max_length=80)),
                ('token_hash', models.CharField(max_length=64, unique=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('expires_at', models.DateTimeField()),
                ('used_at', models.DateTimeField(blank=True, null=True)),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='league.club')),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('used_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('player', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='league.player')),
            ],
            options={
                'ordering': ('-created_at', '-pk'),
            },
        ),
        migrations.CreateModel(
            name='Rider',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('bib', models.PositiveSmallIntegerField(validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(999)], verbose_name='bib')),
                ('name', models.CharField(max_length=80, verbose_name='rider')),
                ('speciality', models.CharField(choices=[('rouleur', 'rouleur'), ('leader', 'leader'), ('climber', 'climber')], max_length=8, verbose_name='speciality')),
                ('draft_order', models.PositiveSmallIntegerField(verbose_name='draft order')),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='riders', to='league.campaign')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='riders', to='league.player')),
            ],
            options={
                'ordering': ('bib',),
            },
        ),
        migrations.CreateModel(
            name='Season',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('slug', models.SlugField(max_length=40, verbose_name='address')),
                ('starts_on', models.DateField(verbose_name='first day')),
                ('ends_on', models.DateField(verbose_name='last day')),
                ('team_points', models.JSONField(default=list, help_text="For the season's team table: the first, second, third ... of a stage.", verbose_name='points by place')),
                ('archived_at', models.DateTimeField(blank=True, null=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seasons', to='league.club')),
            ],
            options={
                'ordering': ('-starts_on', '-pk'),
            },
        ),
        migrations.AddField(
            model_name='campaign',
            name='season',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='campaigns', to='league.season'),
        ),
        migrations.CreateModel(
            name='Sheet',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('draft', 'Draft'), ('provisional', 'Provisional'), ('official', 'Official')], default='draft', max_length=12)),
                ('peloton_turn', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('version', models.PositiveIntegerField(default=0)),
                ('is_revised', models.BooleanField(default=False)),
                ('published_at', models.DateTimeField(blank=True, null=True)),
                ('official_at', models.DateTimeField(blank=True, null=True)),
                ('draft_revision', models.PositiveIntegerField(default=0)),
                ('signed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='DraftCell',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=60)),
                ('value', models.CharField(blank=True, max_length=200)),
                ('other', models.CharField(blank=True, max_length=200)),
                ('is_clash', models.BooleanField(default=False)),
                ('typed_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('revision', models.PositiveIntegerField(default=0)),
                ('typed_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('sheet', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='cells', to='league.sheet')),
            ],
            options={
                'ordering': ('key',),
            },
        ),
        migrations.CreateModel(
            name='BonusSprint',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('token', models.PositiveSmallIntegerField()),
                ('rider', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='bonuses', to='league.rider')),
                ('sheet', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='bonuses', to='league.sheet')),
            ],
            options={
                'ordering': ('token',),
            },
        ),
        migrations.CreateModel(
            name='SheetVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('state', models.CharField(choices=[('draft', 'Draft'), ('provisional', 'Provisional'), ('official', 'Official')], max_length=12)),
                ('content', models.JSONField()),
                ('reason', models.TextField(blank=True)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('sheet', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='versions', to='league.sheet')),
            ],
            options={
                'ordering': ('number',),
            },
        ),
        migrations.CreateModel(
            name='Stage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.SlugField(max_length=8, verbose_name='number')),
                ('order', models.PositiveSmallIntegerField()),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('starts_at', models.DateTimeField(verbose_name='evening')),
                ('place', models.CharField(blank=True, max_length=120, verbose_name='place')),
                ('kind', models.CharField(choices=[('road', 'Road stage'), ('itt', 'Individual time trial'), ('ttt', 'Team time trial')], default='road', max_length=4, verbose_name='kind')),
                ('way', models.CharField(choices=[('paper', 'On paper'), ('refereed', 'Refereed on one phone'), ('online', 'Online')], default='paper', max_length=8, verbose_name='way')),
                ('course', models.CharField(blank=True, max_length=40, verbose_name='course')),
                ('course_json', models.JSONField(blank=True, null=True)),
                ('milestones', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='sum of the milestones')),
                ('columns', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='columns')),
                ('bonus_columns', models.JSONField(blank=True, default=list, verbose_name='bonus tokens')),
                ('feed_lines', models.PositiveSmallIntegerField(default=0, verbose_name='feed zones')),
                ('calendar_sequence', models.PositiveIntegerField(default=0)),
                ('changed_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='stages', to='league.campaign')),
            ],
            options={
                'ordering': ('order',),
            },
        ),
        migrations.AddField(
            model_name='sheet',
            name='stage',
            field=models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='sheet', to='league.stage'),
        ),
        migrations.CreateModel(
            name='Ruling',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('kind', models.CharField(choices=[('penalty', 'Penalty'), ('bonus', 'Bonus'), ('disqualification', 'Disqualification'), ('reinstatement', 'Reinstatement'), ('correction', 'Correction of the sheet'), ('withdrawal', 'Ruling withdrawn')], max_length=18, verbose_name='ruling')),
                ('amount', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='squares')),
                ('turn', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='turn')),
                ('reason', models.TextField(verbose_name='reason')),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('changes', models.JSONField(default=dict)),
                ('key', models.UUIDField(editable=False, null=True)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rulings', to='league.campaign')),
                ('rider', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='rulings', to='league.rider')),
                ('withdraws', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='withdrawn_by', to='league.ruling')),
                ('version', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='ruling', to='league.sheetversion')),
                ('stage', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rulings', to='league.stage')),
            ],
            options={
                'ordering': ('number',),
            },
        ),
        migrations.CreateModel(
            name='Team',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60, verbose_name='name')),
                ('colour', models.CharField(choices=[('white', 'White'), ('yellow', 'Yellow'), ('blue', 'Blue'), ('green', 'Green'), ('purple', 'Purple')], max_length=8, verbose_name='colour')),
                ('pattern', models.CharField(choices=[('plain', 'plain'), ('hoops', 'with hoops'), ('sash', 'with a sash'), ('stripes', 'striped'), ('dots', 'dotted')], default='plain', max_length=8, verbose_name='pattern')),
                ('left_at', models.DateTimeField(blank=True, null=True)),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='teams', to='league.season')),
            ],
            options={
                'ordering': ('name', 'pk'),
            },
        ),
        migrations.CreateModel(
            name='Standing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('classification', models.CharField(max_length=8)),
                ('position', models.PositiveSmallIntegerField()),
                ('rank', models.PositiveSmallIntegerField(null=True)),
                ('state', models.CharField(max_length=12)),
                ('value', models.IntegerField(null=True)),
                ('gap', models.IntegerField(null=True)),
                ('in_pink', models.BooleanField(default=False)),
                ('facts', models.JSONField(default=dict)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='standings', to='league.campaign')),
                ('rider', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='standings', to='league.rider')),
                ('stage', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='standings', to='league.stage')),
                ('team', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='standings', to='league.team')),
            ],
            options={
                'ordering': ('position',),
            },
        ),
        migrations.CreateModel(
            name='SeasonStanding',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('classification', models.CharField(max_length=8)),
                ('position', models.PositiveSmallIntegerField()),
                ('rank', models.PositiveSmallIntegerField()),
                ('points', models.IntegerField()),
                ('gap', models.IntegerField()),
                ('facts', models.JSONField(default=dict)),
                ('player', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='season_standings', to='league.player')),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='standings', to='league.season')),
                ('team', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='season_standings', to='league.team')),
            ],
            options={
                'ordering': ('position',),
            },
        ),
        migrations.AddField(
            model_name='rider',
            name='team',
            field=models.ForeignKey(blank=True, help_text='Empty: the team that the player is in on the day of the stage.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='riders', to='league.team'),
        ),
        migrations.CreateModel(
            name='Result',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('status', models.CharField(choices=[('unresolved', 'no result yet'), ('finished', 'finished'), ('dns', 'did not start'), ('dnf', 'did not finish'), ('otl', 'outside the time limit'), ('dsq', 'disqualified'), ('withdrawn', 'withdrawn')], default='unresolved', max_length=12)),
                ('turn', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('place', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('clock', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('energy', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('rider', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='results', to='league.rider')),
                ('sheet', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='results', to='league.sheet')),
                ('team', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='results', to='league.team')),
            ],
            options={
                'ordering': ('pk',),
            },
        ),
        migrations.CreateModel(
            name='TeamSpell',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('first_day', models.DateField(verbose_name='from')),
                ('last_day', models.DateField(blank=True, null=True, verbose_name='to')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='spells', to='league.player')),
                ('team', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='spells', to='league.team')),
            ],
            options={
                'ordering': ('first_day', 'pk'),
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('member', 'Member'), ('commissaire', 'Commissaire'), ('organiser', 'Organiser')], default='member', max_length=12)),
                ('since', models.DateTimeField(default=django.utils.timezone.now)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='league.club')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('pk',),
                'constraints': [models.UniqueConstraint(fields=('club', 'user'), name='one_membership_per_club_and_user')],
            },
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.UniqueConstraint(condition=models.Q(('merged_into__isnull', True), ('user__isnull', False)), fields=('club', 'user'), name='one_player_per_club_and_user'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.CheckConstraint(condition=models.Q(('merged_into', models.F('id')), _negated=True), name='nobody_is_merged_into_himself'),
        ),
        migrations.AddConstraint(
            model_name='season',
            constraint=models.UniqueConstraint(fields=('club', 'slug'), name='one_season_per_address'),
        ),
        migrations.AddConstraint(
            model_name='season',
            constraint=models.CheckConstraint(condition=models.Q(('ends_on__gte', models.F('starts_on'))), name='a_season_ends_after_it_starts'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.UniqueConstraint(fields=('season', 'slug'), name='one_campaign_per_address'),
        ),
        migrations.AddConstraint(
            model_name='draftcell',
            constraint=models.UniqueConstraint(fields=('sheet', 'key'), name='one_value_per_cell'),
        ),
        migrations.AddConstraint(
            model_name='bonussprint',
            constraint=models.UniqueConstraint(fields=('sheet', 'token'), name='one_winner_per_bonus_token'),
        ),
        migrations.AddConstraint(
            model_name='sheetversion',
            constraint=models.UniqueConstraint(fields=('sheet', 'number'), name='one_version_per_number'),
        ),
        migrations.AddConstraint(
            model_name='stage',
            constraint=models.UniqueConstraint(fields=('campaign', 'number'), name='one_stage_per_number'),
        ),
        migrations.AddConstraint(
            model_name='stage',
            constraint=models.UniqueConstraint(fields=('campaign', 'order'), name='one_stage_per_place_in_the_order'),
        ),
        migrations.AddConstraint(
            model_name='ruling',
            constraint=models.UniqueConstraint(fields=('campaign', 'number'), name='one_ruling_per_number'),
        ),
        migrations.AddConstraint(
            model_name='ruling',
            constraint=models.UniqueConstraint(fields=('campaign', 'key'), name='one_ruling_per_confirmed_form'),
        ),
        migrations.AddConstraint(
            model_name='ruling',
            constraint=models.CheckConstraint(condition=models.Q(('rider__isnull', False), ('kind__in', ['correction', 'withdrawal']), _connector='OR'), name='a_ruling_on_a_rider_names_him'),
        ),
        migrations.AddConstraint(
            model_name='team',
            constraint=models.UniqueConstraint(fields=('season', 'colour', 'pattern'), name='one_team_per_jersey'),
        ),
        migrations.AddConstraint(
            model_name='team',
            constraint=models.UniqueConstraint(fields=('season', 'name'), name='one_team_per_name'),
        ),
        migrations.AddIndex(
            model_name='standing',
            index=models.Index(fields=['campaign', 'classification', 'stage'], name='standing_of_a_page'),
        ),
        migrations.AddConstraint(
            model_name='standing',
            constraint=models.UniqueConstraint(fields=('stage', 'classification', 'position'), name='one_standing_per_line'),
        ),
        migrations.AddConstraint(
            model_name='seasonstanding',
            constraint=models.UniqueConstraint(fields=('season', 'classification', 'position'), name='one_season_standing_per_line'),
        ),
        migrations.AddConstraint(
            model_name='rider',
            constraint=models.UniqueConstraint(fields=('campaign', 'bib'), name='one_rider_per_bib'),
        ),
        migrations.AddConstraint(
            model_name='rider',
            constraint=models.UniqueConstraint(fields=('campaign', 'draft_order'), name='one_rider_per_draft_pick'),
        ),
        migrations.AddConstraint(
            model_name='result',
            constraint=models.UniqueConstraint(fields=('sheet', 'rider'), name='one_result_per_rider_and_sheet'),
        ),
        migrations.AddConstraint(
            model_name='teamspell',
            constraint=models.CheckConstraint(condition=models.Q(('last_day__isnull', True), ('last_day__gte', models.F('first_day')), _connector='OR'), name='a_spell_ends_after_it_starts'),
        ),
    ]
