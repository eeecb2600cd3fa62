// The server puts before this: const version = "…", assets = ["/assets/…/onesheet.js", …], offline = {"ko": "/offline?language=ko", …};
// Pages: the network first, then what was stored; only pages that anyone may have are stored. Pictures whose address has their version
// (v=) never change: the store first. Assets: from the store of their version. Everything else is the network's.

const shell = `shell-${version}`;
const pages = "pages";
const pictures = "pictures";
const pageLimit = 150;
const pictureLimit = 600;
/** Pictures of more bytes are not stored. */
const pictureBytes = 512 * 1024;
/** So many are added between two looks at a limit. */
const trimInterval = 20;
/** How long the network may take where there is a stored page, in milliseconds. */
const patience = 3000;
/** How old the stored copy of a page may be before one is fetched for someone who is signed in, in milliseconds. */
const renewal = 10 * 60 * 1000;

/**
 * What scripts send goes to the network without this worker. Chromium loses requests that are sent while their page is being left, if a
 * busy worker could have handled them, although they are meant to outlive the page (keepalive). Firefox has no routes, and loses none.
 */
const routes = { condition: { requestMethod: "POST", requestMode: "cors" }, source: "network" };

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    await event.addRoutes?.(routes).catch(() => {}); // a browser may know other routes only
    const cache = await caches.open(shell);
    // Without cookies: of the offline pages, too, only what anyone gets is stored.
    const shared = Object.values(offline).map((address) => new Request(address, { credentials: "omit", cache: "no-store" }));
    await cache.addAll([...assets, ...shared]);
    await self.skipWaiting();
  })());
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name.startsWith("shell-") && name !== shell) await caches.delete(name);
    // No navigation preload: Firefox shows its own error page when one fails, without asking the worker for what is stored.
    await self.clients.claim();
  })());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== location.origin) return;
  if (request.mode === "navigate") {
    if (request.method === "GET") event.respondWith(page(event, url));
    else if (url.pathname === "/sign-out" || url.pathname === "/my/erase") event.respondWith(signOut(request));
    return;
  }
  if (request.method !== "GET") return;
  if (url.pathname.startsWith("/assets/")) event.respondWith(asset(request, url));
  else if (request.destination === "image" && (url.searchParams.has("v") || isFile(url))) event.respondWith(picture(event, url));
});

/** The screens that have nothing personal in their address; all others, such as /my and the approval of a sign-in, are the network's. */
const isShareable = (url) => /^\/(?:$|(?:lists|films|persons|series|store)\/|(?:search|discover|box-office|store|about)$)/.test(url.pathname);

const isHTML = (response) => response.ok && response.type === "basic" && !response.redirected
  && (response.headers.get("Content-Type") ?? "").startsWith("text/html");

const isMarked = (response, directive) => (response.headers.get("Cache-Control") ?? "").split(/\s*,\s*/).includes(directive);

async function page(event, url) {
  // Revalidated: the browser's cache would hide for minutes that the server is away.
  const network = fetch(event.request, isShareable(url) ? { cache: "no-cache" } : undefined);
  let stored;
  if (isShareable(url)) {
    // What cannot be stored, because there is no space for example, is shown all the same.
    event.waitUntil(network.then((response) => remember(url, response.clone())).catch(() => {}));
    stored = await (await caches.open(pages)).match(event.request, { ignoreVary: true });
  }
  const late = stored && new Promise((resolve) => setTimeout(resolve, patience, null));
  try {
    const response = await (late ? Promise.race([network, late]) : network);
    const isFailure = response && (response.status >= 500 || response.status === 429);
    return stored && (!response || isFailure) ? dated(stored) : response;
  } catch {
    return stored ? dated(stored) : (await offlinePage(url)) ?? Response.error();
  }
}

async function offlinePage(url) {
  const wanted = [url.searchParams.get("language"), ...self.navigator.languages.map((tag) => tag.slice(0, 2)), "en"];
  const address = offline[wanted.find((language) => language in offline)];
  return address && (await caches.open(shell)).match(address, { ignoreVary: true });
}

/** A stored page with the time of its storage, in milliseconds since 1970, which the page shows: pages cannot read their own header fields. */
async function dated(stored) {
  const html = (await stored.text()).replace("<html ", `<html data-stored="${Number(stored.headers.get("X-Stored"))}" `);
  return new Response(html, { headers: stored.headers });
}

/** A page of someone who is signed in is not stored; what anyone would get at the same address is. */
async function remember(url, response) {
  if (!isHTML(response)) return;
  const key = url.origin + url.pathname + url.search;
  const cache = await caches.open(pages);
  let shared = response;
  if (isMarked(response, "private")) {
    const stored = await cache.match(key, { ignoreVary: true });
    if (stored && Date.now() - Number(stored.headers.get("X-Stored")) < renewal) return;
    shared = await fetch(key, { credentials: "omit", cache: "no-store", headers: { Accept: "text/html" } });
  }
  if (!isHTML(shared) || !isMarked(shared, "public")) return;
  const body = await shared.blob();
  const headers = new Headers(shared.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  headers.set("X-Stored", Date.now());
  headers.set("X-Title", encodeURIComponent(await titleOf(body)));
  // Deleted first, so that it becomes the youngest.
  await cache.delete(key, { ignoreVary: true });
  await cache.put(key, new Response(body, { headers }));
  await trim(cache, pageLimit);
}

/** The title of a page, for the list on the offline page; workers have no parser of HTML. */
async function titleOf(body) {
  const title = /<title>([^<]*)<\/title>/.exec(await body.slice(0, 4096).text())?.[1] ?? "";
  const characters = { "&#39;": "'", "&quot;": '"', "&lt;": "<", "&gt;": ">", "&amp;": "&" };
  return title.replace(/&(?:#39|quot|lt|gt|amp);/g, (entity) => characters[entity]);
}

/** Whether an address is that of a picture of The Movie Database, which has no version: another picture has another name. */
const isFile = (url) => url.pathname.startsWith("/t/p/");

let added = 0;

async function picture(event, url) {
  const { request } = event;
  const cache = await caches.open(pictures);
  const stored = await cache.match(request, { ignoreVary: true });
  if (stored) return stored;
  let response;
  try {
    response = await fetch(request);
  } catch {
    return (await otherWidth(cache, url)) ?? Response.error();
  }
  // A substitute, a stale picture and one with a signature have short lives, and are not stored.
  const isLasting = isMarked(response, "immutable") || (isFile(url) && /max-age=\d{5,}/.test(response.headers.get("Cache-Control") ?? ""));
  if (response.status === 200 && isLasting && Number(response.headers.get("Content-Length")) <= pictureBytes) {
    const copy = response.clone();
    event.waitUntil((async () => {
      await cache.put(request, copy);
      if (added++ % trimInterval === 0) await trim(cache, pictureLimit);
    })().catch(() => {})); // no space: the picture is shown all the same
  }
  return response;
}

/** Another width of the same picture is better than none. */
async function otherWidth(cache, url) {
  const name = (address) => address.pathname.replace(/^\/t\/p\/[^/]+\//, "/t/p/");
  for (const request of await cache.keys()) if (name(new URL(request.url)) === name(url)) return cache.match(request, { ignoreVary: true });
}

async function asset(request, url) {
  const stored = await caches.match(request, { ignoreVary: true });
  if (stored) return stored;
  let response;
  try {
    response = await fetch(request);
    if (response.ok) return response;
  } catch {
    response = Response.error();
  }
  // A page that was made by an earlier version asks for files that the server no longer has; those of this version do for it. The
  // response is a new one, so that modules are still known by the address that was asked for.
  const name = url.pathname.slice(url.pathname.lastIndexOf("/"));
  const address = assets.find((address) => address.endsWith(name));
  const current = address && (await (await caches.open(shell)).match(address, { ignoreVary: true }));
  return current ? new Response(await current.blob(), { headers: { "Content-Type": current.headers.get("Content-Type") ?? "" } }) : response;
}

/** What is older goes first: keys are in the order in which they were put. */
async function trim(cache, limit) {
  const keys = await cache.keys();
  if (keys.length <= limit) return;
  for (const key of keys.slice(0, keys.length - Math.floor(limit * 0.9))) await cache.delete(key, { ignoreVary: true });
}

async function signOut(request) {
  try {
    return await fetch(request);
  } finally {
    await caches.delete(pages);
  }
}
