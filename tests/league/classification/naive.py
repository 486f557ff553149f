"""The rules once more, in the plainest way, to hold the classification against. Slow, without reasons, in one piece."""

from league.classification.giro import Kind, RulingKind

GONE = {"dns", "dnf", "otl", "dsq", "withdrawn"}


def recount(entrants, sheets, options):
    """After each stage a dict: rider -> (score or None, rank or None, "in", "unresolved" or "out")."""
    draft = {entrant.rider: entrant.draft for entrant in entrants}
    jersey_of = {entrant.rider: entrant.team for entrant in entrants}
    score = dict.fromkeys(draft, 0)
    state = dict.fromkeys(draft, "in")
    team_now = dict(jersey_of)
    placings = {rider: [] for rider in draft}
    story = []
    lapped = set()
    over = False
    for number, sheet in enumerate(sheets):
        written = {line.rider: line for line in sheet.lines}
        for line in sheet.lines:
            jersey_of[line.rider] = jersey_of[line.rider] or line.team
            team_now[line.rider] = line.team
        if number == 0:
            team_now = {rider: written[rider].team if rider in written else jersey_of[rider] for rider in draft}
        if over:
            story.append(story[-1])
            continue
        before = (dict(score), dict(state))

        # who is in, who crossed the line, in which turn
        verdict, crossed_in, kept = {}, {}, set()
        for rider in draft:
            line = written.get(rider)
            says = str(line.status) if line else "unresolved"
            turn = line.turn if line and says != "unresolved" else None
            if says == "finished" and turn is None:
                says = "unresolved"
            if says in ("finished", "otl", "dsq", "withdrawn") and turn is not None:
                crossed_in[rider] = turn
            limit = None if sheet.peloton_turn is None else sheet.peloton_turn + options.time_limit
            if sheet.kind is Kind.ROAD and limit is not None and says == "finished" and turn > limit:
                says = "otl"
            if state[rider] == "out":
                continue
            mine = sorted((ruling for ruling in sheet.rulings if ruling.rider == rider), key=lambda r: r.number)
            yes_or_no = [r for r in mine if r.kind in (RulingKind.DISQUALIFICATION, RulingKind.REINSTATEMENT)]
            if yes_or_no and yes_or_no[-1].kind is RulingKind.DISQUALIFICATION:
                says = "dsq"
            elif yes_or_no:
                kept.add(rider)
                given = [r.turn for r in yes_or_no if r.kind is RulingKind.REINSTATEMENT and r.turn is not None]
                crossed_in.pop(rider, None)
                says = "unresolved"
                if turn is not None or given:
                    says = "finished"
                    crossed_in[rider] = turn if turn is not None else given[-1]
            verdict[rider] = says

        # the result of everybody who crossed the line
        value, place = {}, {}
        if sheet.kind is Kind.ROAD:
            firsts = [rider for rider in crossed_in if rider in written and written[rider].place == 1]
            winner = firsts[0] if len(firsts) == 1 else None
            value = dict(crossed_in)
            position = {}
            for rider, turn in crossed_in.items():
                mates = [r for r in crossed_in if crossed_in[r] == turn and r != winner]
                orders = [written[r].place if r in written else None for r in mates]
                position[rider] = (turn, 0 if None in orders else (written[rider].place or 0))
            for rider in crossed_in:
                ahead = [r for r in crossed_in if r != rider and (r == winner or position[r] < position[rider])]
                place[rider] = 1 if rider == winner else 1 + len(ahead)
        else:
            winner = None
            runs = {}
            for rider in crossed_in:
                alone = sheet.kind is Kind.ITT or team_now[rider] is None
                runs.setdefault(("rider", rider) if alone else ("team", team_now[rider]), []).append(rider)
            if sheet.kind is Kind.TTT:
                for rider, says in verdict.items():
                    if says == "unresolved":
                        runs.pop(("team", team_now[rider]), None)

            lines_so_far = [line for each in sheets[: number + 1] for line in each.lines]

            def jersey(run, lines_so_far=lines_so_far):
                if run[0] == "rider":
                    return (0, draft[run[1]])
                drafted = [draft[r] for r in draft if jersey_of[r] == run[1]]
                came_to = [draft[line.rider] for line in lines_so_far if line.team == run[1]]
                return (0, min(drafted)) if drafted else (1, min(came_to))

            def clock(run, runs=runs, crossed_in=crossed_in, written=written):
                riders = runs[run]
                given = [written[r].clock for r in riders if r in written and written[r].clock is not None]
                energy = sum((written[r].energy or 0) if r in written else 0 for r in riders)
                turns = max(crossed_in[r] for r in riders)
                first = min(draft[r] for r in riders)
                return (not given, min(given or [0]), turns, -energy, jersey(run), run[0] == "rider", first)

            for index, run in enumerate(sorted(runs, key=clock)):
                addition = 0 if index == 0 else 3 if index == len(runs) - 1 else 1 if index == 1 else 2
                for rider in runs[run]:
                    value[rider] = max(crossed_in[r] for r in runs[run]) + addition
            for rider in value:
                place[rider] = 1 + sum(value[r] < value[rider] for r in value)

        # the moves, all together
        for rider, says in verdict.items():
            if says in GONE:
                state[rider] = "out"
            elif says == "unresolved" or rider not in value:
                state[rider] = "unresolved"
            else:
                placings[rider].insert(0, place[rider])
                if state[rider] == "in":
                    score[rider] -= value[rider] - min(value.values())
                    if rider == winner:
                        score[rider] += options.stage_win
                    if sheet.kind is Kind.ROAD:
                        score[rider] += options.bonus * sum(bonus.rider == rider for bonus in sheet.bonuses)
                    for ruling in sheet.rulings:
                        if ruling.rider == rider and ruling.kind is RulingKind.PENALTY:
                            score[rider] -= ruling.amount
                        if ruling.rider == rider and ruling.kind is RulingKind.BONUS:
                            score[rider] += ruling.amount

        # the laps
        racing = [rider for rider in draft if state[rider] == "in"]
        for rider in racing:
            if max(score[r] for r in racing) - score[rider] >= options.gc_loop and rider not in kept:
                state[rider] = "out"
                lapped.add(rider)

        if all(each == "out" for each in state.values()):
            over = True
            if number:
                score, state = before
                story.append(story[-1])
                continue

        # the ranks: one more than the number of riders who are better
        racing = [rider for rider in draft if state[rider] == "in"]
        energy = {rider: written[rider].energy if rider in written else None for rider in racing}

        def better(one, other, energy=energy, racing=racing, score=score):
            if score[one] != score[other]:
                return score[one] > score[other]
            level = [rider for rider in racing if score[rider] == score[one]]
            if all(energy[rider] is not None for rider in level) and energy[one] != energy[other]:
                return energy[one] > energy[other]
            if placings[one] != placings[other]:
                return placings[one] < placings[other]
            return draft[one] < draft[other]

        story.append(
            {
                rider: (
                    score[rider] if rider in racing or rider in lapped else None,
                    1 + sum(better(other, rider) for other in racing if other != rider) if rider in racing else None,
                    state[rider],
                )
                for rider in draft
            }
        )
    return story
