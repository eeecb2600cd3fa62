// A file picker for the import of a list: the file's text goes into the form, where it can be read and changed before it is sent.
import { say, text } from "./onesheet.js";

export function start() {
  const form = document.querySelector("[data-import]");
  const file = form.querySelector("input[type=file]");
  file.addEventListener("change", async () => {
    const [chosen] = file.files;
    if (!chosen) return;
    if (chosen.size > Number(form.dataset.import)) return say(text("importTooLarge"));
    try {
      const content = await chosen.text();
      // Pictures and archives are no text.
      if (/[\0\uFFFD]/.test(content)) return say(text("importFileFailed"));
      form.elements.text.value = content;
    } catch {
      say(text("importFileFailed"));
    }
  });
  form.addEventListener("submit", (event) => {
    // As it is sent, a text is longer than its file.
    const fields = [...new FormData(form)].map(([name, value]) => [name, String(value).replace(/\r?\n/g, "\r\n")]);
    const length = new URLSearchParams(fields).toString().length;
    if (length <= Number(form.dataset.import)) return;
    event.preventDefault();
    say(text("importTooLarge"));
  });
}
