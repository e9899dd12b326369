export type Finding = {
  subject: string;
  status: "ok" | "warning" | "broken";
  text: string;
  advice: string | null;
};

export function about(subject: string) {
  const finding =
    (status: Finding["status"]) =>
    (text: string, advice: string): Finding[] => [{ subject, status, text, advice }];
  const ok = (text: string): Finding[] => [{ subject, status: "ok", text, advice: null }];
  return { ok, warning: finding("warning"), broken: finding("broken") };
}

/** Splits "What is wrong: what to do", and makes the second part a sentence. */
export function withAdvice(line: string, fallback = "change it if that is not intended") {
  const [text = line, advice = fallback] = line.split(/: (.*)/s);
  return [text, `${advice.charAt(0).toUpperCase()}${advice.slice(1)}.`] as const;
}

export const SETTINGS = "Correct the variable in the environment, in .env or in the unit file.";
