// The offline page lists the pages that are stored.
const limit = 50;

export async function start() {
  const section = document.querySelector("[data-visited]");
  const list = section.querySelector("ul");
  // There is no store without TLS, nor in some private windows.
  const cache = await self.caches?.open("pages").catch(() => undefined);
  for (const request of ((await cache?.keys()) ?? []).reverse().slice(0, limit)) {
    const response = await cache.match(request, { ignoreVary: true });
    const title = decodeURIComponent(response?.headers.get("X-Title") ?? "").replace(/ · OneSheet$/, "");
    if (!title) continue;
    const item = document.createElement("li");
    item.append(Object.assign(document.createElement("a"), { href: request.url, textContent: title, dir: "auto" }));
    list.append(item);
  }
  // Not before the list is whole: it would grow while it is read.
  section.hidden = list.children.length === 0;
}
