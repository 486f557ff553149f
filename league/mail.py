"""Mail without a mail server: written to the console and to a folder, where the demo's sign-on page points."""

from collections.abc import Sequence
from typing import Any

from django.core.mail import EmailMessage
from django.core.mail.backends.console import EmailBackend as Console
from django.core.mail.backends.filebased import EmailBackend as Folder


class FolderBackend(Folder):
    """Each message to `EMAIL_FILE_PATH` and to standard output."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.console = Console(fail_silently=True)

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        self.console.send_messages(email_messages)
        return super().send_messages(email_messages) or 0
