import {
  type DOMAttributes,
  type InputHTMLAttributes,
  type ReactNode,
  useEffect,
  useId,
  useRef,
} from "react";

/** `options`: texts by value, for a choice; `isMachineText`: monospace, no spell checking; `onType`: only with script. */
type FieldProps = Record<"label" | "name", string> & {
  hint?: ReactNode;
  error?: string | null | undefined;
  rows?: number;
  options?: Record<string, string>;
  isMachineText?: boolean;
  onType?: (text: string) => void;
};
type InputProps = Omit<
  InputHTMLAttributes<HTMLInputElement>,
  keyof FieldProps | keyof DOMAttributes<HTMLInputElement>
>;

const machineText = { autoCapitalize: "none", autoCorrect: "off", spellCheck: false } as const;

/** A labelled field. Its error is in its accessible description and takes the focus, with and without script. */
export function Field(props: FieldProps & InputProps) {
  const { label, name, hint, error: said, rows, options, isMachineText, onType, ...native } = props;
  // The API's sentences name the fields of its JSON.
  const error = said?.replace(/^The field "\w+"/, "This");
  const id = useId();
  const field = useRef<HTMLInputElement & HTMLTextAreaElement & HTMLSelectElement>(null);
  useEffect(() => {
    if (error) field.current?.focus();
  }, [error]);
  const texts = Object.entries({ error, hint }).filter(([, text]) => text);
  const shared = {
    id,
    name,
    ref: field,
    className: isMachineText ? "dns" : undefined,
    "aria-invalid": error ? true : undefined,
    "aria-describedby": texts.map(([kind]) => `${id}-${kind}`).join(" ") || undefined,
    ...(isMachineText ? machineText : {}),
    ...(error ? { autoFocus: true } : {}),
    onChange:
      onType &&
      ((event: { currentTarget: { value: string } }) => onType(event.currentTarget.value)),
    ...native,
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>{" "}
      {options ? (
        <select {...shared}>
          {Object.entries(options).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      ) : rows ? (
        <textarea {...shared} rows={rows} />
      ) : (
        <input {...shared} />
      )}
      {texts.map(([kind, text]) => (
        <p key={kind} className={kind} id={`${id}-${kind}`}>
          {text}
        </p>
      ))}
    </div>
  );
}

type ChoiceProps = InputProps & { name: string; children: ReactNode };

export const Choice = ({ children, type = "checkbox", ...native }: ChoiceProps) => (
  <label>
    <input type={type} {...native} /> <span>{children}</span>
  </label>
);

export const EmailField = (props: Omit<FieldProps, "name"> & InputProps) => (
  <Field name="email" type="email" autoComplete="off" required maxLength={254} {...props} />
);

type NameFieldProps = FieldProps & Pick<InputProps, "list"> & { typed: string };

export const NameField = ({ typed, ...fieldProps }: NameFieldProps) => (
  <Field
    {...fieldProps}
    isMachineText
    defaultValue={typed}
    placeholder="example.com"
    autoComplete="off"
    inputMode="url"
    required
    maxLength={2048}
  />
);
