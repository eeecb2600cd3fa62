// Favourites, the watchlist and ratings without leaving the page. What is shown at once is taken back if the server refuses.
import { renew } from "./more.js";
import { noteChange, say, text } from "./onesheet.js";

const messages = {
  favourite: ["favouriteRemoved", "favouriteAdded"],
  watchlist: ["watchlistRemoved", "watchlistAdded"],
};

/**
 * Sends a form as a program does: the answer is JSON, and has the token for the next time. A page from the store of the service worker, or
 * of before signing in, has an old token: the refusal brings the right one, and the form is sent once more.
 */
async function post(form, fields, action, isSecond = false) {
  const body = new URLSearchParams(new FormData(form));
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  const response = await fetch(action, { method: "POST", body, headers: { Accept: "application/json" }, redirect: "error", keepalive: true });
  const answer = await response.json().catch(() => ({}));
  // The form of a removed film is not on the page.
  if (answer.token) for (const field of [form.elements.token, ...document.querySelectorAll("input[name=token]")]) field.value = answer.token;
  if (response.status === 403 && answer.token && !isSecond) return post(form, fields, action, true);
  if (response.status === 401 && answer.signIn) {
    location.assign(answer.signIn);
    throw new DOMException("Signing in comes first.", "AbortError");
  }
  if (!response.ok) throw new Error(String(response.status));
  noteChange();
  return answer;
}

/** The first change of a visitor: it sets the cookie that further ones need, or each would begin a list of its own. */
let first;

async function send(form, fields, action = form.action) {
  const isNew = () => form.elements.token.value === "0";
  while (first && isNew()) await first;
  const sending = post(form, fields, action);
  if (isNew()) first = sending.catch(() => {}).then(() => (first = undefined));
  return sending;
}

/** Addresses that wait for an answer: what is pressed meanwhile is ignored. */
const busy = new Set();

async function change(action, undo, work) {
  busy.add(action);
  try {
    await work();
  } catch (error) {
    undo();
    if (error.name !== "AbortError") say(text(navigator.onLine ? "changeFailed" : "changeOffline"));
  } finally {
    busy.delete(action);
  }
}

/** The address to which a button sends its form: buttons of cards share one form, and have their own. */
const actionOf = (button) => (button.hasAttribute("formaction") ? button.formAction : button.form.action);

function mark(form, button) {
  const action = actionOf(button);
  if (busy.has(action)) return;
  const value = button.value;
  const wasOn = button.getAttribute("aria-pressed") === "true";
  const show = (on) => {
    // The same film may stand on the page twice. A button that removes a film from a list has no state.
    for (const other of document.querySelectorAll("button[name=on][aria-pressed]")) {
      if (actionOf(other) !== action) continue;
      other.setAttribute("aria-pressed", on);
      other.value = on ? "0" : "1";
    }
  };
  show(!wasOn);
  return change(action, () => show(wasOn), async () => {
    const answer = await send(form, { on: value }, action);
    show(answer.on);
    if (!answer.on && form.closest("[data-saved]")) remove(form);
    else say(text(messages[new URL(action).pathname.split("/").pop()][answer.on ? 1 : 0]));
  });
}

/**
 * Takes a film out of a list. The message has a button that puts it back; it gets the focus of those who use keys, for whom Tab and Escape
 * lead on to the next film.
 */
function remove(form) {
  const card = form.closest(".card");
  const grid = card.parentElement;
  const index = [...grid.children].indexOf(card);
  const hadFocus = card.contains(document.activeElement);
  const usesKeys = hadFocus && document.activeElement.matches(":focus-visible");
  card.remove();
  const goOn = () => {
    const next = grid.children[Math.min(index, grid.children.length - 1)]?.querySelector("form[data-mark] button");
    (next ?? document.querySelector("main")).focus();
  };
  const run = () => putBack(form, () => grid.insertBefore(card, grid.children[index] ?? null), grid);
  const undo = say(text(messages[form.dataset.mark][0]), { action: { label: text("undo"), run } });
  if (usesKeys) undo.focus();
  else if (hadFocus) goOn();
  undo.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" && event.key !== "Tab") return;
    event.preventDefault();
    goOn();
  });
  // The next removal ends this request.
  renew(grid).catch((error) => { if (error.name !== "AbortError" && !grid.children.length) location.reload(); });
}

/** Adds a removed film again. The form has the time at which the film was added, so that it keeps its place. */
function putBack(form, show, grid) {
  if (busy.has(form.action)) return;
  return change(form.action, () => {}, async () => {
    await send(form, { on: "1" });
    show();
    form.querySelector("button").focus();
    say(text(messages[form.dataset.mark][1]));
    renew(grid).catch(() => {}); // without it the film is there all the same
  });
}

/** A slider in place of the list: half steps by arrow keys, dragging, or a touch. */
function slider(form) {
  const list = form.querySelector("select");
  const input = Object.assign(document.createElement("input"), { type: "range", id: "rating", name: "value", min: 0.5, max: 10, step: 0.5 });
  const output = document.createElement("output");
  output.htmlFor = "rating";
  output.setAttribute("aria-hidden", "true"); // the slider says its value itself
  let rated = list.value;
  let remove = form.querySelector("[name=remove]");
  if (!remove) {
    remove = Object.assign(document.createElement("button"), { className: "button", name: "remove", value: "1", textContent: text("rateRemove") });
    form.append(remove);
  }
  remove.type = "button"; // or Enter on the slider would press it
  const show = (value) => {
    input.value = value || 5;
    output.textContent = value ? Number(value).toFixed(1) : "–";
    input.setAttribute("aria-valuetext", value ? text("rateValue", { score: value }) : "–");
    remove.hidden = !value;
  };
  list.closest(".field").replaceWith(input, output);
  form.querySelector("button:not([name])").remove();
  show(rated);
  let timer;
  let saving = Promise.resolve();
  const save = (value) => {
    clearTimeout(timer);
    timer = undefined;
    // One after another, so that the last is what the server keeps.
    saving = saving.then(() => value === rated || change(form.action, () => show(rated), async () => {
      await send(form, value ? { value } : { value: "", remove: "1" });
      rated = value;
      say(text(value ? "rateSaved" : "rateRemoved", { score: value }));
    }));
  };
  input.addEventListener("input", () => show(input.value));
  // A finger that scrolls the page over the slider chooses nothing.
  let top = scrollY;
  const isScrolling = () => Math.abs(scrollY - top) > 8;
  input.addEventListener("pointerdown", () => (top = scrollY));
  const settle = () => {
    timer = undefined;
    if (isScrolling()) show(rated);
    else save(input.value);
  };
  const choose = () => {
    clearTimeout(timer);
    timer = setTimeout(settle, 300);
  };
  // Leaving the page saves at once; the request outlives the page.
  addEventListener("pagehide", () => {
    if (timer === undefined) return;
    clearTimeout(timer);
    settle();
  });
  input.addEventListener("change", choose);
  input.addEventListener("keydown", () => (top = scrollY));
  // The middle is where an unrated film's slider stands: choosing it is no change.
  for (const name of ["click", "touchend"]) input.addEventListener(name, () => {
    if (rated || isScrolling()) return;
    show(input.value);
    choose();
  });
  remove.addEventListener("click", () => { show(""); save(""); input.focus(); });
}

export function start() {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("[data-mark], [data-rate], #marks")) return;
    event.preventDefault();
    if (!form.matches("[data-rate]")) mark(form, event.submitter ?? form.querySelector("button"));
  });
  for (const form of document.querySelectorAll("[data-rate]")) slider(form);
}
