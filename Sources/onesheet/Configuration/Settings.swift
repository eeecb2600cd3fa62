import Configuration

/// The options of one command: from the command line, else from the environment.
///
/// Both are texts that are read by the same parsers, so that a wrong value is refused in the same words wherever it
/// came from.
struct Settings {
    private let reader: ConfigReader

    /// - Parameters:
    ///   - commandLine: By option name without dashes; options that were not given are absent.
    ///   - environment: nil for the process's own.
    init(_ commandLine: [String: [String]], environment: [String: String]? = nil) {
        let given = commandLine.map { name, values in
            let content: ConfigContent = values.count == 1 ? .string(values[0]) : .stringArray(values)
            return (AbsoluteConfigKey([Self.scope, name]), ConfigValue(content, isSecret: false))
        }
        self.reader = ConfigReader(
            providers: [
                InMemoryProvider(name: "command line", values: Dictionary(uniqueKeysWithValues: given)),
                environment.map { EnvironmentVariablesProvider(environmentVariables: $0) }
                    ?? EnvironmentVariablesProvider(),
            ]
        ).scoped(to: ConfigKey([Self.scope]))
    }

    private static let scope = "onesheet"

    /// The environment variable of an option.
    static func variable(_ option: String) -> String {
        "ONESHEET_" + option.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }

    /// All values of a repeatable option; in the environment they are separated by commas.
    func texts(_ option: String) -> [String] {
        let key = ConfigKey([option])
        return self.reader.stringArray(forKey: key) ?? self.reader.string(forKey: key).map { [$0] } ?? []
    }

    /// nil when the option was not given; an empty variable counts as none.
    func text(_ option: String) -> String? {
        self.reader.string(forKey: ConfigKey([option])).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// - Throws: ``SettingError`` when the text is not acceptable to `parse`.
    func value<Value>(_ option: String, allowed: String, parse: (String) -> Value?) throws -> Value? {
        guard let text = self.text(option) else { return nil }
        guard let value = parse(text) else { throw SettingError(option: option, value: text, allowed: allowed) }
        return value
    }

    /// One of an enumeration's names.
    func choice<Choice: RawRepresentable & CaseIterable>(
        _ option: String
    ) throws -> Choice? where Choice.RawValue == String {
        try self.value(option, allowed: Choice.allCases.map(\.rawValue).joined(separator: ", ")) {
            Choice(rawValue: $0)
        }
    }

    func number(_ option: String, in range: ClosedRange<Int>) throws -> Int? {
        try self.value(option, allowed: "a whole number from \(range.lowerBound) to \(range.upperBound)") {
            Int($0).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    func seconds(_ option: String, in range: ClosedRange<Double>) throws -> Duration? {
        try self.value(option, allowed: "seconds, from \(range.lowerBound) to \(range.upperBound)") {
            Double($0).flatMap { range.contains($0) ? .milliseconds(Int(($0 * 1000).rounded())) : nil }
        }
    }

    /// - Parameter minimum: In bytes.
    func byteCount(_ option: String, atLeast minimum: Int = 1) throws -> Int? {
        try self.value(option, allowed: "bytes, such as 268435456, 64MiB or 2GiB, at least \(minimum)") { text in
            ByteCount.parse(text).flatMap { $0 >= minimum ? $0 : nil }
        }
    }

    /// Bytes, or a part of the memory that this process may use.
    func memoryBudget(_ option: String) throws -> Int? {
        let allowed = "bytes, such as 268435456 or 256MiB, or a part of the memory that is allowed, from 0% to 100%"
        return try self.value(option, allowed: allowed) { text in
            MemoryBudget.parse(text, bytes: ByteCount.parse)
        }
    }

    func isOn(_ option: String) throws -> Bool {
        try self.value(option, allowed: "true or false") { text in
            switch text.lowercased() {
            case "1", "true", "yes", "on": true
            case "0", "false", "no", "off": false
            default: nil
            }
        } ?? false
    }
}

/// An option whose value cannot be used.
struct SettingError: Error, CustomStringConvertible {
    let option: String
    let value: String
    let allowed: String

    var description: String {
        "--\(self.option) (\(Settings.variable(self.option))) is '\(self.value)'; allowed: \(self.allowed)"
    }
}
