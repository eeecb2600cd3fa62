import Configuration
import Synchronization

/// Options of a YAML file.
enum YAMLSettings {
    /// - Throws: ``SettingsFile/Malformed``.
    static func parse(_ bytes: [UInt8]) throws(SettingsFile.Malformed) -> [String: SettingsValue] {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw SettingsFile.Malformed(reason: "it is not UTF-8")
        }
        // To the parser no document is no mapping; to people it is a file in which everything is commented out.
        let isEmpty = text.split(whereSeparator: \.isNewline).allSatisfy { line in
            line.drop { $0.isWhitespace }.first.map { $0 == "#" } ?? true
        }
        if isEmpty { return [:] }
        // In a snapshot they are not there, and neither are their keys.
        if let line = YAMLEmptyMapping.firstLine(in: text) {
            throw SettingsFile.Malformed(reason: "it has an empty mapping, which no option takes, at line \(line)")
        }
        // A snapshot does not tell its keys, but asks of every one whether it is secret.
        let keys = Keys()
        let snapshot: YAMLSnapshot
        do {
            snapshot = try YAMLSnapshot(
                data: bytes.span.bytes, providerName: "file",
                parsingOptions: YAMLSnapshot.ParsingOptions(
                    secretsSpecifier: .dynamic { key, _ in
                        keys.names.withLock { _ = $0.insert(key) }
                        return true
                    }))
        } catch {
            throw SettingsFile.Malformed(reason: Self.words(for: error))
        }
        var values: [String: SettingsValue] = [:]
        for key in keys.names.withLock({ $0 }) { values[key] = Self.value(of: key, in: snapshot) }
        return values
    }

    private final class Keys: Sendable {
        let names = Mutex<Set<String>>([])
    }

    private static func value(of name: String, in snapshot: YAMLSnapshot) -> SettingsValue {
        let key = AbsoluteConfigKey([name])
        // Asking for the other type is an error, and the only way to learn which it is.
        if let value = try? snapshot.value(forKey: key, type: .string).value, case .string(let text) = value.content {
            return ["~", "null", "Null", "NULL"].contains(text) ? SettingsValue.none : .one(text)
        }
        if let value = try? snapshot.value(forKey: key, type: .stringArray).value,
            case .stringArray(let texts) = value.content
        {
            return .list(texts)
        }
        return .other("a mapping")
    }

    /// The parser's words without the line that it quotes, which may hold a secret.
    private static func words(for error: any Error) -> String {
        let text = "\(error)"
        if let match = text.firstMatch(of: #/(\d+):(\d+): error: [a-z]+: ([^\n]*?):?\n/#) {
            return "it is no YAML: \(match.3), at line \(match.1), column \(match.2)"
        }
        if let match = text.firstMatch(of: #/duplicated key\(s\): ([^\n]*)\./#) {
            return "it has keys twice: \(match.1)"
        }
        return "it must hold one mapping of options to values or lists of values"
    }
}
