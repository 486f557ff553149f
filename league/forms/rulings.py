"""What a commissaire types to rule: on whom, from which stage on, what and why."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from league.models import Campaign, Rider, Stage
from league.models.results import RulingKind, SheetState
from league.rulings import MOST_SQUARES, MOST_TURNS, SHORTEST_REASON, Proposal

ON_A_RIDER = (
    (RulingKind.PENALTY, _("Penalty")),
    (RulingKind.BONUS, _("Bonus")),
    (RulingKind.DISQUALIFICATION, _("Disqualification")),
    (RulingKind.REINSTATEMENT, _("Reinstatement")),
)
MEANING = {
    RulingKind.PENALTY: _("Squares off the score in the general classification."),
    RulingKind.BONUS: _("Squares on the score in the general classification."),
    RulingKind.DISQUALIFICATION: _("Out of the Giro from this stage on. The others keep their places and turns."),
    RulingKind.REINSTATEMENT: _("Stays in the Giro although this stage put the rider out."),
}


class StageField(forms.ModelChoiceField):
    def label_from_instance(self, stage: Any) -> str:
        return str(stage)


class RiderField(forms.ModelChoiceField):
    def label_from_instance(self, rider: Any) -> str:
        return str(rider)


class ReasonForm(forms.Form):
    """Why. It is public."""

    reason = forms.CharField(
        label=_("Reason"),
        min_length=SHORTEST_REASON,
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("A sentence or two; everybody will read it beside the result."),
        error_messages={"required": _("Say why, in a sentence.")},
    )


class RulingForm(ReasonForm):
    """A proposal. Fields that its kind does not need are left alone, whatever stands in them."""

    stage = StageField(
        queryset=Stage.objects.none(),
        to_field_name="number",
        label=_("From which stage on"),
        empty_label=_("Choose a stage"),
        error_messages={
            "required": _("Choose the stage at which the ruling stands."),
            "invalid_choice": _("No stage with a published result has this number. Choose one of the list."),
        },
    )
    rider = RiderField(
        queryset=Rider.objects.none(),
        to_field_name="bib",
        label=_("Rider"),
        empty_label=_("Choose a rider"),
        error_messages={
            "required": _("Choose the rider whom it is about."),
            "invalid_choice": _("Nobody of this campaign has this bib. Choose a rider of the list."),
        },
    )
    kind = forms.ChoiceField(
        choices=ON_A_RIDER,
        label=_("Ruling"),
        widget=forms.RadioSelect,
        error_messages={
            "required": _("Choose what the jury decides."),
            "invalid_choice": _("The jury cannot decide that here. Choose one of the four."),
        },
    )
    amount = forms.IntegerField(
        label=_("Squares"),
        error_messages={"required": _("How many squares?")},
        min_value=1,
        max_value=MOST_SQUARES,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
        help_text=_("For a penalty or a bonus."),
    )
    turn = forms.IntegerField(
        label=_("Turn"),
        min_value=1,
        max_value=MOST_TURNS,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
        help_text=_("For a reinstatement, where the sheet has no turn of the rider."),
    )
    sure = forms.BooleanField(label=_("Yes, so many squares"), required=False)
    use_required_attribute = False  # what is needed depends on the kind
    field_order = ("stage", "rider", "kind", "amount", "sure", "turn", "reason")

    def __init__(self, *args: Any, campaign: Campaign, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        public = (SheetState.PROVISIONAL, SheetState.OFFICIAL)
        self.fields["stage"].queryset = Stage.objects.filter(  # type: ignore[attr-defined]
            campaign=campaign, sheet__state__in=public
        )
        self.fields["rider"].queryset = Rider.objects.filter(campaign=campaign)  # type: ignore[attr-defined]
        self.campaign = campaign

    def clean(self) -> dict[str, Any]:
        """What the chosen kind does not need neither counts nor stops."""
        cleaned = super().clean() or self.cleaned_data
        kind = cleaned.get("kind")
        for name, kinds in (
            ("amount", (RulingKind.PENALTY, RulingKind.BONUS)),
            ("turn", (RulingKind.REINSTATEMENT,)),
        ):
            # whether a reinstatement needs a turn is for the sheet to say
            if kind not in kinds or (name == "turn" and not self["turn"].data):
                cleaned[name] = None
                self.errors.pop(name, None)
        return cleaned

    def proposal(self) -> Proposal:
        """The typed ruling, readable; whether it can be decided is the jury's rulings to say."""
        told = self.cleaned_data
        stage = told["stage"]
        stage.campaign = self.campaign
        return Proposal(
            stage=stage,
            kind=RulingKind(told["kind"]),
            rider=told["rider"],
            amount=told["amount"],
            turn=told["turn"],
            reason=told["reason"],
            sure=told["sure"],
        )


class Confirmation(forms.Form):
    """What a preview carries along: the standing that it showed, and the key that makes a second click the same one."""

    revision = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    draft = forms.IntegerField(min_value=0, required=False, widget=forms.HiddenInput)
    key = forms.UUIDField(widget=forms.HiddenInput)
