"""The screens, their addresses in the embedded catalogue, and a selector of an element that must be on them."""
LANGUAGES = ["ko", "en", "ja"]
SCREENS = {
    "home": ("/", ".hero h1"),
    "list": ("/lists/popular", ".grid .card"),
    "search": ("/search?q=kurosawa", ".people a"),
    "search-empty": ("/search", ".chip"),
    "search-nothing": ("/search?q=qqqqqqqqqqqqqqqq", ".note"),
    "film": ("/films/nosferatu-1922", ".film-poster img"),
    "credits": ("/films/rashomon-1950/credits", ".people li"),
    "reviews": ("/films/nosferatu-1922/reviews", ".review"),
    "pictures": ("/films/nosferatu-1922/pictures", "main li img"),
    "picture": ("/films/nosferatu-1922/pictures/2", ".picture img"),
    "similar": ("/films/rashomon-1950/similar", ".card"),
    "person": ("/persons/akira-kurosawa", "#films"),
    "discover": ("/discover?genre=horror&decade=1920", ".filters select"),
    "box-office": ("/box-office?date=2024-05-05", ".chart tbody tr"),
    "box-office-posters": ("/box-office?date=2024-05-05&span=weekend&view=posters", ".ranked .card"),
    "box-office-outside": ("/box-office?date=1999-01-01", "main input[type=date]"),
    "store": ("/store", ".app"),
    "app": ("/store/app-cine-news", "#information"),
    "favourites": ("/my/favourites", ".tabs"),
    "import": ("/my/import", "textarea"),
    "ratings": ("/my/ratings", ".tabs"),
    "sign-in": ("/sign-in", ".panel button"),
    "badges": ("/badges?film=nosferatu-1922&badge1=sample&position=top", ".badges img"),
    "about": ("/about", "dl"),
    "not-found": ("/nothing-here", "form[role=search]"),
    "unknown-film": ("/films/no-such-film", "form[role=search]"),
    "offline": ("/offline", "h1"),
}
STATUS = {"not-found": 404, "unknown-film": 404, "box-office-outside": 400}
# One dark screen of each kind, on a desktop, in the short form.
DARK = ["home", "film", "search", "discover", "box-office"]


def in_language(path, language):
    return path + ("&" if "?" in path else "?") + "language=" + language


def address(name, language):
    return in_language(SCREENS[name][0], language)
