import Yams

/// The options in a settings file, parsed by Yams: YAML 1.1, a superset of JSON.
struct SettingsDocument {
    /// A value of any option, before its type is checked.
    enum Value: Equatable {
        case none
        /// A text, number or boolean, as written.
        case one(String)
        case list([String])
        /// A value that no option accepts, as a noun for error messages.
        case other(String)
    }

    struct Entry: Equatable {
        /// Keys of nested mappings are joined by dots, which no option's name contains.
        let key: String
        let value: Value
        let position: SettingsFile.Position?
    }

    private(set) var entries: [Entry] = []

    /// - Parameters:
    ///   - bytes: One document in UTF-8; an empty one, or one with only comments, has no options.
    ///   - format: The name of the format in error messages.
    /// - Throws: ``SettingsFile/Malformed``, which quotes keys but never values: they may be secrets.
    init(_ bytes: [UInt8], format: String) throws(SettingsFile.Malformed) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw SettingsFile.Malformed(reason: "it is not UTF-8")
        }
        let root: Node?
        do {
            root = try Parser(yaml: text, encoding: .utf8).singleRoot()
        } catch {
            throw Self.malformed(error, format: format)
        }
        guard let root, !Self.isNull(root) else { return }
        guard case .mapping(let mapping) = root else {
            throw SettingsFile.Malformed(
                reason: "it must hold one mapping of options to values or lists of values",
                position: SettingsFile.Position(root.mark))
        }
        var known: Set<String> = []
        try self.add(mapping, prefix: "", known: &known)
    }

    private mutating func add(
        _ mapping: Node.Mapping, prefix: String, known: inout Set<String>
    ) throws(SettingsFile.Malformed) {
        for (key, value) in mapping {
            let position = SettingsFile.Position(key.mark)
            guard case .scalar(let scalar) = key else {
                throw SettingsFile.Malformed(reason: "it has a key that is not a string", position: position)
            }
            let name = prefix + scalar.string
            if case .mapping(let members) = value, !members.isEmpty {
                try self.add(members, prefix: name + ".", known: &known)
                continue
            }
            // Yams compares keys with their types: 1 and "1" are different keys.
            guard known.insert(name).inserted else {
                throw SettingsFile.Malformed(reason: Self.duplicated("'\(name)'"), position: position)
            }
            self.entries.append(Entry(key: name, value: Self.value(value), position: position))
        }
    }

    private static func value(_ node: Node) -> Value {
        switch node {
        case .scalar(let scalar): return self.isNull(node) ? .none : .one(scalar.string)
        case .sequence(let sequence):
            let texts = sequence.compactMap { self.isNull($0) ? nil : $0.scalar?.string }
            return texts.count == sequence.count ? .list(texts) : .other("a list with null or nested values")
        case .mapping, .alias: return .other("a mapping")
        }
    }

    /// Whether a node is a null of YAML's core schema; quoted ones are texts.
    private static func isNull(_ node: Node) -> Bool {
        guard let scalar = node.scalar, scalar.style == .plain else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(scalar.string)
    }

    private static func duplicated(_ keys: String) -> String { "it has duplicate keys: \(TerminalText.escaped(keys))" }

    /// The parser's reason and position, without the line that it quotes.
    private static func malformed(_ error: any Error, format: String) -> SettingsFile.Malformed {
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            return SettingsFile.Malformed(
                reason: "it is not valid \(format): \(problem)", position: SettingsFile.Position(mark))
        case .reader(let problem, let offset, _, let text):
            let before = text.prefix(offset ?? 0).unicodeScalars
            let column = before.reversed().prefix { $0 != "\n" }.count + 1
            return SettingsFile.Malformed(
                reason: "it is not valid \(format): \(problem)",
                position: SettingsFile.Position(line: before.count { $0 == "\n" } + 1, column: column))
        case .duplicatedKeysInMapping(let keys, let context):
            return SettingsFile.Malformed(
                reason: self.duplicated(keys.sorted().map { "'\($0)'" }.joined(separator: ", ")),
                position: SettingsFile.Position(context.mark))
        default: return SettingsFile.Malformed(reason: "it is not valid \(format)")
        }
    }
}

extension SettingsFile.Position {
    fileprivate init?(_ mark: Mark?) {
        guard let mark else { return nil }
        self.init(line: mark.line, column: mark.column)
    }
}
