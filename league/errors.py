"""What a person can mend, and what came too late. Everything else is a defect and looks like one."""


class Refused(Exception):
    """The domain says no. The text is translated and says what is wrong and the way out. Pages answer 409 or show it at the form."""


class Late(Refused):
    """Somebody else was faster; the page shows what stands now."""
