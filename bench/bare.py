"""The yardstick of a move: a view that inserts one row, commits and says so."""

from django.db import connection, models
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST


class Row(models.Model):
    """One row with a number and a little text. Its table is made by `make_table`; the product does not know it."""

    number = models.PositiveIntegerField()
    text = models.CharField(max_length=200)

    objects: models.Manager["Row"] = models.Manager()

    class Meta:
        app_label = "bench"
        managed = False

    def __str__(self) -> str:
        return f"{self.number}"


def make_table() -> None:
    with connection.schema_editor() as editor:
        editor.create_model(Row)


@require_POST
def insert(request: HttpRequest) -> HttpResponse:
    row = Row.objects.create(
        number=1, text=request.POST.get("text", "")
    )  # autocommit: it is on the disk when this ends
    return HttpResponse(f"{row.pk}")
