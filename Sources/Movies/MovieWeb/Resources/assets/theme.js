// Light or dark as chosen in the footer, else as the system: loaded before the first paint, so that no page flashes.
// Pages are the same for all visitors: the choice is in a cookie that this script and the approval page read.
{
  const name = "onesheet_theme";
  const root = document.documentElement;
  const stored = () => new RegExp(`(?:^|; )${name}=(light|dark)`).exec(document.cookie)?.[1] ?? "";

  function show() {
    const theme = stored();
    if (theme) root.dataset.theme = theme;
    else delete root.dataset.theme;
    const meta = (name) => [...document.querySelectorAll(`meta[name=${name}]`)];
    for (const scheme of meta("color-scheme")) scheme.content = theme || "light dark";
    for (const [place, colour] of meta("theme-color").entries()) {
      const own = place ? "dark" : "light";
      colour.media = theme ? (theme === own ? "all" : "not all") : `(prefers-color-scheme: ${own})`;
    }
    for (const choice of document.querySelectorAll("[data-theme-choice]")) choice.value = theme;
  }

  show();
  document.addEventListener("DOMContentLoaded", show);
  // Another page may have changed it meanwhile.
  document.addEventListener("visibilitychange", show);
  document.addEventListener("change", ({ target }) => {
    if (!target.matches("[data-theme-choice]")) return;
    const seconds = target.value ? 365 * 24 * 60 * 60 : 0;
    document.cookie = `${name}=${target.value}; Path=/; Max-Age=${seconds}; SameSite=Lax${location.protocol === "https:" ? "; Secure" : ""}`;
    show();
  });
}
