/// Options of a JSON file.
///
/// swift-configuration's own snapshot of JSON takes true for 1 and drops nulls with their keys, which hides mistakes.
enum JSONSettings {
    /// - Throws: ``SettingsFile/Malformed``.
    static func parse(_ bytes: [UInt8]) throws(SettingsFile.Malformed) -> [String: SettingsValue] {
        let top: JSONText.Value
        do throws(JSONText.Failure) {
            top = try JSONText.parse(bytes)
        } catch {
            throw SettingsFile.Malformed(
                reason: "it is no JSON: \(error.reason), at line \(error.line), column \(error.column)")
        }
        guard case .object(let members) = top else {
            throw SettingsFile.Malformed(reason: "it must hold one JSON object of options and their values")
        }
        var values: [String: SettingsValue] = [:]
        for (key, value) in members { self.add(value, at: key, to: &values) }
        return values
    }

    /// Members of objects inside are keys with dots, none of which is an option.
    private static func add(_ value: JSONText.Value, at key: String, to values: inout [String: SettingsValue]) {
        switch value {
        case .null: values[key] = SettingsValue.none
        case .scalar(let text): values[key] = .one(text)
        case .object(let members):
            if members.isEmpty { values[key] = .other("an object") }
            for (name, member) in members { self.add(member, at: "\(key).\(name)", to: &values) }
        case .array(let elements):
            let texts = elements.compactMap { element in
                if case .scalar(let text) = element { text } else { nil }
            }
            values[key] = texts.count == elements.count ? .list(texts) : .other("a list with more than plain values")
        }
    }
}
