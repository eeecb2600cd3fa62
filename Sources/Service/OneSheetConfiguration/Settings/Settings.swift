package import Configuration
import FoundationEssentials

/// The options of one command: from the command line, else the environment, else a file.
///
/// All layers have texts that the same parsers read, so error messages are the same in all layers. An empty text counts
/// as unset in every layer, so that a variable that cannot be removed can still be unset.
package struct Settings {
    let file: SettingsFile?
    private let reader: ConfigReader
    private let commandLine: Set<String>
    private let environment: [String: String]

    /// - Parameters:
    ///   - commandLine: By option name without dashes.
    ///   - environment: `nil` uses the process's environment.
    ///   - accesses: Called for every option that is read.
    package init(
        _ commandLine: [String: [String]], environment: [String: String]? = nil, file: SettingsFile? = nil,
        accesses: (any AccessReporter)? = nil
    ) {
        let given = commandLine.filter { $0.value.contains { !$0.isEmpty } }
        let variables = (environment ?? ProcessInfo.processInfo.environment).filter { name, value in
            name.hasPrefix(Self.variablePrefix) && !value.isEmpty
        }
        self.file = file
        self.commandLine = Set(given.keys)
        self.environment = variables
        self.reader = ConfigReader(
            providers: [
                Self.provider(given, name: "command line"),
                EnvironmentVariablesProvider(environmentVariables: variables),
                Self.provider(file?.values ?? [:], name: "file"),
            ],
            accessReporter: accesses
        ).scoped(to: ConfigKey([Self.scope]))
    }

    /// Creates settings that include the file named by `--config` or its variable.
    package static func layered(
        _ commandLine: [String: [String]], environment: [String: String]? = nil,
        accesses: (any AccessReporter)? = nil
    ) throws(SettingsFile.Failure) -> Settings {
        let path = Settings(commandLine, environment: environment, accesses: accesses).text(SettingsFile.option)
        var file: SettingsFile?
        if let path { file = try SettingsFile(path: path, keys: SettingDescription.fileKeys) }
        return Settings(commandLine, environment: environment, file: file, accesses: accesses)
    }

    private static func provider(_ values: [String: [String]], name: String) -> InMemoryProvider {
        let values = values.map { name, values in
            let content: ConfigContent = values.count == 1 ? .string(values[0]) : .stringArray(values)
            return (AbsoluteConfigKey([Self.scope, name]), ConfigValue(content, isSecret: false))
        }
        return InMemoryProvider(name: name, values: Dictionary(uniqueKeysWithValues: values))
    }

    private static let scope = "onesheet"
    private static let variablePrefix = "ONESHEET_"

    static func variable(_ option: String) -> String {
        self.variablePrefix + option.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }

    func layer(of option: String) -> SettingLayer {
        if self.commandLine.contains(option) { return .commandLine(option: "--\(option)") }
        let variable = Self.variable(option)
        if self.environment[variable] != nil { return .environment(variable: variable) }
        if let file, file.values[option] != nil { return .file(path: file.path) }
        return .default
    }

    /// All values of a repeatable option. In the environment they are separated by commas, or by line breaks if there
    /// are any, in which case values may contain commas.
    func texts(_ option: String) -> [String] {
        let key = ConfigKey([option])
        let texts = self.reader.stringArray(forKey: key) ?? self.reader.string(forKey: key).map { [$0] } ?? []
        guard case .environment(let variable) = self.layer(of: option), let text = self.environment[variable],
            text.contains(where: \.isNewline)
        else { return texts }
        return text.split(whereSeparator: \.isNewline).compactMap { line in
            let line = line.drop(while: \.isWhitespace)
            return line.lastIndex { !$0.isWhitespace }.map { String(line[...$0]) }
        }
    }

    /// Environment variables with the program's prefix that match no option, each with the most similar option's
    /// variable.
    ///
    /// - Parameter known: Names of options; not evaluated if there are no such variables.
    package func unknownVariables(known: @autoclosure () -> Set<String>) -> [(name: String, nearest: String?)] {
        guard !self.environment.isEmpty else { return [] }
        let known = Set(known().map(Self.variable))
        return self.environment.keys.filter { !known.contains($0) && !Self.isServiceLink($0) }.sorted().map { name in
            (name, SpellingDistance.nearest(to: name, among: Array(known)))
        }
    }

    /// Whether Kubernetes sets this variable for a service named onesheet.
    private static func isServiceLink(_ variable: String) -> Bool {
        variable.wholeMatch(of: #/.*_(SERVICE_HOST|SERVICE_PORT(_.*)?|PORT_\d+_(TCP|UDP|SCTP)(_.*)?)/#) != nil
    }

    func values(of option: SettingDescription) -> [String] {
        option.isRepeatable ? self.texts(option.name) : self.text(option.name).map { [$0] } ?? []
    }

    /// The value of an option; `nil` if it is unset or empty.
    package func text(_ option: String) -> String? {
        self.reader.string(forKey: ConfigKey([option])).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// - Throws: ``SettingError`` if `parse` rejects the text.
    package func value<Value>(_ option: String, allowed: String, parse: (String) -> Value?) throws -> Value? {
        guard let text = self.text(option) else { return nil }
        guard let value = parse(text) else { throw SettingError(option: option, value: text, allowed: allowed) }
        return value
    }

    /// A value that can be disabled by "off".
    /// - Returns: `nil` if the option is absent; contains `nil` for "off".
    func valueOrOff<Value>(_ option: String, allowed: String, parse: (String) -> Value?) throws -> Value?? {
        try self.value(option, allowed: allowed) { $0 == "off" ? .some(nil) : parse($0).map { .some($0) } }
    }

    package func choice<Choice: RawRepresentable & CaseIterable>(
        _ option: String
    ) throws -> Choice? where Choice.RawValue == String {
        try self.value(option, allowed: Choice.allCases.map(\.rawValue).joined(separator: ", ")) {
            Choice(rawValue: $0)
        }
    }

    package func number(_ option: String, in range: ClosedRange<Int>) throws -> Int? {
        try self.value(option, allowed: "a whole number from \(range.lowerBound) to \(range.upperBound)") {
            Int($0).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    func seconds(_ option: String, in range: ClosedRange<Double>) throws -> Duration? {
        try self.value(option, allowed: "seconds, from \(range.lowerBound) to \(range.upperBound)") {
            Double($0).flatMap { range.contains($0) ? .milliseconds(Int(($0 * 1000).rounded())) : nil }
        }
    }

    /// - Parameter minimum: The least accepted value, in bytes.
    func byteCount(_ option: String, atLeast minimum: Int = 1) throws -> Int? {
        try self.value(option, allowed: "bytes, such as 268435456, 64MiB or 2GiB, at least \(minimum)") { text in
            ByteCount.parse(text).flatMap { $0 >= minimum ? $0 : nil }
        }
    }

    /// A byte count, or a percentage of the memory available to this process.
    func memoryBudget(_ option: String) throws -> Int? {
        let allowed = "bytes, such as 268435456 or 256MiB, or a share of the allowed memory, from 0% to 100%"
        return try self.value(option, allowed: allowed) { MemoryLimit.parse($0) }
    }

    /// A byte count, or a percentage of another option's value.
    /// - Parameter whole: The value of `wholeOption`; the result must be less, or 0.
    func part(_ option: String, of whole: Int, _ wholeOption: String) throws -> Int? {
        let allowed =
            "bytes, such as 33554432 or 32MiB, or a share of --\(wholeOption) such as 12%; 0, or less than that "
            + "option's \(whole) bytes"
        return try self.value(option, allowed: allowed) { text in
            MemoryLimit.parse(text, available: { whole }).flatMap { $0 == 0 || $0 < whole ? $0 : nil }
        }
    }

    package func isOn(_ option: String, default isOnWithout: Bool = false) throws -> Bool {
        try self.value(option, allowed: "true or false") { text in
            switch text.lowercased() {
            case "1", "true", "yes", "on": true
            case "0", "false", "no", "off": false
            default: nil
            }
        } ?? isOnWithout
    }
}
