// Puts a button on every block of code that copies it, where the browser has a clipboard.
if (navigator.clipboard)
  for (const code of document.querySelectorAll("pre > code")) {
    const button = document.createElement("button");
    const say = (word) => {
      button.textContent = word;
      button.setAttribute("aria-label", `${word} this code`);
    };
    button.className = "quiet on-code screen-only";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(code.textContent.trim());
      say("Copied");
      setTimeout(say, 2_000, "Copy");
    });
    say("Copy");
    code.before(button);
  }
