// The types of a module's exports, each written out whole: what is inferred from schemas needs none of their library.
import ts from "typescript";

const GIVEN = /node_modules\/(?:typescript|@types\/node)\//;
/** Of JavaScript or Node: whoever reads the types has it. What Omit makes has no name of its own. */
const isGiven = ({ name, declarations = [] }) =>
  name !== "__type" && declarations.some((one) => GIVEN.test(one.getSourceFile().fileName));

/** Declarations for TypeScript (`.d.ts`) of what each entry exports: functions, classes and types. */
export function declarationsOf(entries) {
  const { config } = ts.readConfigFile("tsconfig.json", ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ".");
  const program = ts.createProgram([...entries, "packages/dns/library/tr46.d.ts"], options);
  return entries.map((entry) =>
    declarationsIn(program.getSourceFile(entry), program.getTypeChecker()),
  );
}

function declarationsIn(source, checker) {
  const exported = checker
    .getExportsOfModule(checker.getSymbolAtLocation(source))
    .map((one) => (one.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(one) : one));

  const docOf = (symbol) => {
    const text = ts.displayPartsToString(symbol.getDocumentationComment(checker));
    return text && `/** ${text.replace(/\s*\n\s*/g, " ")} */\n`;
  };

  const member = (symbol) => {
    const type = checker.getTypeOfSymbol(symbol);
    const modifiers = ts.getDeclarationModifierFlagsFromSymbol(symbol);
    const readonly = modifiers & ts.ModifierFlags.Readonly ? "readonly " : "";
    const isOptional = symbol.flags & ts.SymbolFlags.Optional;
    return `${docOf(symbol)}${readonly}${symbol.name}${isOptional ? "?" : ""}: ${show(type)};`;
  };

  const parameters = (signature) =>
    signature.parameters.map((one) => {
      const { valueDeclaration: at } = one;
      const isOptional = checker.isOptionalParameter(at);
      const name = ts.isIdentifier(at.name) ? at.name.text : "question";
      const type = checker.getTypeOfSymbol(one);
      return `${name}${isOptional ? "?" : ""}: ${show(isOptional ? checker.getNonNullableType(type) : type)}`;
    });
  const returned = (signature) => show(checker.getReturnTypeOfSignature(signature));

  /** `self`: the exported type being written out; others are called by their names. */
  function show(type, self) {
    const { aliasSymbol: alias, symbol, flags } = type;
    if (alias && alias !== self && exported.includes(alias)) return alias.name;
    if (flags & ts.TypeFlags.Boolean) return "boolean";
    if (type.isUnion()) {
      const all = new Set(type.types.map((one) => show(one)));
      if (all.has("true") && all.has("false")) {
        for (const one of ["true", "false"]) all.delete(one);
        all.add("boolean");
      }
      return [...all].map((one) => (one.includes("=>") ? `(${one})` : one)).join(" | ");
    }
    if (!(flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)))
      return checker.typeToString(type);
    const given = type.target ? checker.getTypeArguments(type).map((one) => show(one)) : [];
    if (checker.isArrayType(type))
      return `${symbol.name === "ReadonlyArray" ? "readonly " : ""}(${given[0]})[]`;
    const [call] = type.getCallSignatures();
    if (call) return `(${parameters(call).join(", ")}) => ${returned(call)}`;
    if (symbol && isGiven(symbol))
      return symbol.name + (given.length > 0 ? `<${given.join(", ")}>` : "");
    return `{\n${type.getProperties().map(member).join("\n")}\n}`;
  }

  const declare = (symbol) => {
    const doc = docOf(symbol);
    if (symbol.flags & ts.SymbolFlags.TypeAlias)
      return `${doc}export type ${symbol.name} = ${show(checker.getDeclaredTypeOfSymbol(symbol), symbol)};`;
    const type = checker.getTypeOfSymbol(symbol);
    if (symbol.flags & ts.SymbolFlags.Class) {
      const [base] = checker.getBaseTypes(checker.getDeclaredTypeOfSymbol(symbol));
      const [made] = type.getConstructSignatures();
      const own = [...symbol.members.values()].filter(
        ({ flags }) => flags & ts.SymbolFlags.Property,
      );
      const members = [...own.map(member), `constructor(${parameters(made).join(", ")});`];
      return `${doc}export declare class ${symbol.name} extends ${base.symbol.name} {\n${members.join("\n")}\n}`;
    }
    const [call] = type.getCallSignatures();
    return `${doc}export declare function ${symbol.name}(${parameters(call).join(", ")}): ${returned(call)};`;
  };
  return `${exported.map(declare).join("\n\n")}\n`;
}
