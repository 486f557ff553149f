"""Short races as text, so that a person can read what the engine does, and sees when it does something else."""

from pathlib import Path

import pytest

from rules import registry
from tests.rules.records import COMMAND, TRANSCRIPTS, told_in, transcript_of

TEXTS = sorted(TRANSCRIPTS.glob("*/*.txt"))


@pytest.mark.parametrize("game", registry.names())
def test_there_are_transcripts_of_every_game_to_read(game: str) -> None:
    found = [path for path in TEXTS if path.parent.name == game]

    assert len(found) >= 2, f"make one by: {COMMAND} transcribe {game} NAME --options ... --entrants ... --seed 1"


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: f"{path.parent.name}:{path.stem}")
def test_a_race_reads_as_it_did(path: Path) -> None:
    text = path.read_text()

    assert transcript_of(told_in(text)).splitlines() == text.splitlines(), (
        f"The race reads differently now. If that is meant, write the transcripts anew and read what changed: {COMMAND} again"
    )
