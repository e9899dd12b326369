// Puts a button on every block of code that copies it, where the browser has a clipboard.
if (navigator.clipboard)
  for (const code of document.querySelectorAll("pre > code")) {
    const text = code.textContent.trim();
    // Of a session in a shell only the commands, which may go on after a backslash.
    const commands = text.match(/(?<=^\$ )(.*\\\n)*.*/gm);
    const button = document.createElement("button");
    const say = (verb) => {
      button.textContent = `${verb} ${commands ? "command" : "code"}`;
    };
    button.className = "quiet on-code screen-only";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(commands?.join("\n") ?? text);
      say("Copied");
      setTimeout(say, 2_000, "Copy");
    });
    say("Copy");
    code.before(button);
  }
