"""Signing up, on and off, codes, passwords, addresses; and that nobody may try for ever."""

import re
import types
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from django.urls import reverse

from tests import factories as make
from tests.conftest import Cast

PASSWORD = "up-the-mortirolo"


@pytest.fixture
def anna(cast: Cast) -> User:
    """Anna with a password and a confirmed address."""
    cast.anna.set_password(PASSWORD)
    cast.anna.save()
    EmailAddress.objects.create(user=cast.anna, email=cast.anna.email, primary=True, verified=True)
    return cast.anna


def sign_on(client: Client, password: str = PASSWORD, email: str = "anna@example.org", **more: str) -> Any:
    return client.post(reverse("account_login"), {"login": email, "password": password} | more)


def test_anna_signs_on_with_her_password_and_comes_back_to_where_she_was(client: Client, anna: User) -> None:
    there = reverse("people", args=["lanterna"])

    page = client.get(reverse("account_login"), {"next": there}).content.decode()
    answer = sign_on(client, next=there)

    assert f'<input type="hidden" name="next" value="{there}">' in page
    assert f'href="{reverse("account_signup")}?next=' in page
    assert answer["Location"] == there
    assert client.get(there).status_code == 200


def test_signing_on_leads_to_no_other_site(client: Client, anna: User) -> None:
    assert sign_on(client, next="https://evil.example/")["Location"] == "/"


def test_the_sixth_failed_try_is_refused_with_a_sentence(client: Client, anna: User) -> None:
    tries = [sign_on(client, "wrong").content.decode() for _ in range(5)]
    sixth = sign_on(client, "wrong").content.decode()
    with_the_right_one = sign_on(client).content.decode()

    assert all("That password does not go with this address" in page for page in tries)
    assert "Too many tries with this address. Wait five minutes" in sixth
    assert "That password does not go" not in sixth
    assert "Too many tries with this address" in with_the_right_one
    assert "_auth_user_id" not in client.session


def test_an_unknown_address_is_answered_like_a_wrong_password(client: Client, anna: User) -> None:
    page = sign_on(client, email="nobody@example.org").content.decode()

    assert "That password does not go with this address" in page


def test_the_sign_on_page_is_ready_for_keyboards_and_readers(client: Client, anna: User) -> None:
    page = sign_on(client, "wrong").content.decode()

    assert 'action="/accounts/login/"' in page
    assert "csrfmiddlewaretoken" in page
    assert 'autocomplete="current-password"' in page
    assert re.search(r'<p class="note err" role="alert">', page)
    assert " style=" not in page
    assert "<script>" not in page


def test_a_mailed_code_signs_on_once(client: Client, anna: User) -> None:
    there = reverse("people", args=["lanterna"])

    sent = client.post(reverse("account_request_login_code") + f"?next={there}", {"email": anna.email, "next": there})
    (message,) = mail.outbox
    code = re.search(r"^[A-Z0-9-]{6,}$", str(message.body), re.MULTILINE)
    assert code is not None
    page = client.get(sent["Location"]).content.decode()
    wrong = client.post(reverse("account_confirm_login_code"), {"code": "AAAAAA", "next": there}).content.decode()
    answer = client.post(reverse("account_confirm_login_code"), {"code": code.group(), "next": there})

    assert message.subject == "Your code"
    assert "tell it to nobody" in message.body
    assert "What does the mail say?" in page
    assert "That is not the code" in wrong
    assert answer["Location"] == there
    assert client.session["_auth_user_id"] == str(anna.pk)


def test_a_code_for_an_unknown_address_is_answered_alike_and_a_mail_says_so(client: Client, db: None) -> None:
    sent = client.post(reverse("account_request_login_code"), {"email": "nobody@example.org"})

    assert sent["Location"].startswith(reverse("account_confirm_login_code"))
    assert "there is no account with this address" in mail.outbox[0].body


def test_a_lost_password_is_replaced_by_the_mailed_link_once(client: Client, anna: User) -> None:
    client.post(reverse("account_reset_password"), {"email": anna.email})
    (message,) = mail.outbox
    link = re.search(r"http://testserver(\S+)", str(message.body))
    assert link is not None
    form = client.get(link.group(1), follow=True)
    new = {"password1": "down-the-stelvio", "password2": "down-the-stelvio"}
    done = client.post(form.request["PATH_INFO"], new, follow=True).content.decode()
    again = Client().get(link.group(1), follow=True).content.decode()

    assert message.subject == "A new password"
    assert "Set the password" in form.content.decode()
    assert "New password set" in done
    assert "This link is spent" in again
    assert sign_on(Client(), "down-the-stelvio").status_code == 302


def test_a_new_member_signs_up_with_a_name_that_the_club_sees(client: Client, db: None) -> None:
    data = {"name": " Sunniva \n Berg", "email": "Sunniva@example.org", "password1": PASSWORD}

    answer = client.post(reverse("account_signup"), data)

    user = User.objects.get(email="sunniva@example.org")
    assert answer["Location"] == "/"
    assert user.first_name == "Sunniva Berg"
    assert mail.outbox[0].subject == "Is this address yours?"
    link = re.search(r"http://testserver(\S+)", str(mail.outbox[0].body))
    assert link is not None
    assert "Is it yours?" in client.get(link.group(1)).content.decode()
    client.post(link.group(1))
    assert EmailAddress.objects.get(user=user).verified


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("name", "", "required"),
        ("name", "a\x00", "Null characters"),
        ("name", "\u200b", "at least one letter"),
        ("email", "sunniva", "valid email"),
        ("password1", "12345678", "too common"),
        ("password1", "", "required"),
    ],
)
def test_signing_up_says_what_is_wrong_at_the_field(
    client: Client, db: None, field: str, value: str, says: str
) -> None:
    data = {"name": "Sunniva", "email": "sunniva@example.org", "password1": PASSWORD} | {field: value}

    answer = client.post(reverse("account_signup"), data)

    assert says in str(answer.context["form"].errors[field])
    assert not User.objects.exists()


def test_an_address_signs_up_once(client: Client, anna: User) -> None:
    answer = client.post(
        reverse("account_signup"), {"name": "Anna", "email": "ANNA@example.org", "password1": PASSWORD}, follow=True
    )

    assert User.objects.filter(email__iexact="anna@example.org").count() == 1
    assert "_auth_user_id" not in client.session
    assert answer.status_code == 200


def test_signing_off_asks_first_and_needs_a_post(client: Client, anna: User) -> None:
    client.force_login(anna)

    asked = client.get(reverse("account_logout"))
    still = "_auth_user_id" in client.session
    client.post(reverse("account_logout"))

    assert "Sign off?" in asked.content.decode()
    assert still
    assert "_auth_user_id" not in client.session


def test_a_password_is_changed_by_whoever_knows_the_old_one(client: Client, anna: User) -> None:
    client.force_login(anna)
    address = reverse("account_change_password")
    new = {"password1": "down-the-stelvio", "password2": "down-the-stelvio"}

    wrong = client.post(address, new | {"oldpassword": "guess"}).content.decode()
    client.post(address, new | {"oldpassword": PASSWORD})

    assert "This is not your present password" in wrong
    anna.refresh_from_db()
    assert anna.check_password("down-the-stelvio")


def test_addresses_are_added_made_primary_and_removed(client: Client, anna: User) -> None:
    sign_on(client)
    address = reverse("account_email")

    client.post(address, {"action_add": "", "email": "anna@club.example"})
    refused = client.post(address, {"action_remove": "", "email": anna.email}, follow=True).content.decode()
    client.post(address, {"action_remove": "", "email": "anna@club.example"})

    assert "is your primary address" in refused
    assert list(EmailAddress.objects.values_list("email", flat=True)) == ["anna@example.org"]


def test_the_account_page_shows_my_clubs_roles_and_players_and_takes_a_new_name(client: Client, cast: Cast) -> None:
    make.PlayerFactory(club=cast.club, name="Carla the Climber", user=cast.carla)
    hidden = make.ClubFactory(name="Secret", is_public=False)
    make.PlayerFactory(club=hidden, name="Old Carla", user=cast.carla)
    client.force_login(cast.carla)

    page = client.get(reverse("account")).content.decode()
    client.post(reverse("account"), {"name": "  Carla\u202e  Venn "})

    assert "V.C. Lanterna" in page
    assert "Member" in page
    assert "Carla the Climber" in page
    assert "Old Carla" not in page  # a closed club that she has left
    cast.carla.refresh_from_db()
    assert cast.carla.first_name == "Carla Venn"


def test_the_account_page_is_for_whoever_is_signed_on(client: Client, db: None) -> None:
    assert client.get(reverse("account"))["Location"] == f"{reverse('account_login')}?next={reverse('account')}"


def test_the_demo_shows_its_logins_and_where_mails_go_and_no_other_site_does(
    client: Client, db: None, settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    shown = types.SimpleNamespace(email="marta@demo.example", what="organiser")
    module = types.SimpleNamespace(LOGINS=[shown], PASSWORD="shown-to-all")
    monkeypatch.setitem(__import__("sys").modules, "league.demo", module)
    monkeypatch.setattr("league.demo", module, raising=False)
    settings.EMAIL_FILE_PATH = tmp_path

    settings.DEMO = False
    plain = client.get(reverse("account_login")).content.decode()
    settings.DEMO = True
    demo = client.get(reverse("account_login")).content.decode()

    assert "shown-to-all" not in plain
    assert str(tmp_path) not in plain
    assert "marta@demo.example" in demo
    assert "shown-to-all" in demo
    assert str(tmp_path) in demo


@pytest.mark.parametrize(
    "page",
    [
        "account_login",
        "account_signup",
        "account_reset_password",
        "account_reset_password_done",
        "account_reset_password_from_key_done",
        "account_request_login_code",
        "account_email_verification_sent",
        "account_inactive",
    ],
)
def test_every_page_before_the_door_is_ours(client: Client, db: None, page: str) -> None:
    answer = client.get(reverse(page))

    assert answer.status_code == 200
    assert 'class="comm"' in answer.content.decode()
    assert " style=" not in answer.content.decode()


@pytest.mark.parametrize(
    "page",
    ["account", "account_logout", "account_email", "account_change_password", "account_reauthenticate"],
)
def test_every_page_behind_the_door_is_ours(client: Client, anna: User, page: str) -> None:
    client.force_login(anna)

    answer = client.get(reverse(page))

    assert answer.status_code == 200
    assert 'class="word"' in answer.content.decode()
    assert "<h1>" in answer.content.decode()


def test_who_came_by_code_sets_a_password_and_shows_who_he_is_by_code(client: Client, anna: User) -> None:
    anna.set_unusable_password()
    anna.save()
    client.force_login(anna)

    page = client.get(reverse("account")).content.decode()
    form = client.get(reverse("account_set_password"), follow=True)
    asked = client.get(reverse("account_request_reauthentication_code"))
    sent = client.post(reverse("account_request_reauthentication_code"), {"recipient": anna.email}, follow=True)

    assert "Set a password" in page
    assert form.status_code == 200
    assert "Is it you?" in asked.content.decode()
    assert "The code went to anna@example.org" in sent.content.decode()
