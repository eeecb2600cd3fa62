/// The documentation of an option of `serve`.
///
/// Derived from the option's declaration: its help is the meaning, followed by "Default: " and the default.
package struct SettingDescription: Equatable {
    package let name: String
    let isFlag: Bool
    let isRepeatable: Bool
    /// One or more sentences, without the last full stop.
    let meaning: String
    /// The default as it would be given, or in words; `nil` without one.
    let defaultText: String?

    static let secret = Set(["origin-header"]).union(SourceOptions.keyOptions.values)

    var isReloadable: Bool { ReloadablePart.allCases.contains { $0.options.contains(self.name) } }

    /// All options of `serve`, in the order of its help.
    package static let all: [SettingDescription] = {
        do {
            return try CommandHelp(ServeOptions.self).shownArguments.map(SettingDescription.init)
        } catch {
            // The input is this program's own declarations; a test parses it.
            preconditionFailure("the help of 'serve' cannot be read: \(error)")
        }
    }()

    /// The permitted keys of a settings file, and whether they are repeatable.
    static var fileKeys: [String: Bool] {
        let keys = self.all.filter { $0.name != SettingsFile.option }.map { ($0.name, $0.isRepeatable) }
        return Dictionary(uniqueKeysWithValues: keys)
    }

    private init(_ argument: CommandHelp.Argument) {
        let mark = "Default: "
        var meaning = argument.abstract ?? ""
        var defaultText: String?
        if let range = meaning.ranges(of: mark).last {
            defaultText = String(meaning[range.upperBound...])
            meaning = String(meaning[..<range.lowerBound])
        }
        self.name = argument.name
        self.isFlag = argument.kind == .flag
        self.isRepeatable = argument.isRepeating
        self.meaning = Self.trimmed(meaning)
        self.defaultText = defaultText.map(Self.trimmed)
    }

    private static func trimmed(_ text: String) -> String {
        var text = text[...]
        while let last = text.last, last == " " || last == "." { text.removeLast() }
        return String(text)
    }
}

/// A part of the configuration that a reload applies to the running server.
package enum ReloadablePart: CaseIterable {
    case logLevel
    case origins
    /// The content of the file; the admin routes are enabled only at the start.
    case adminToken
    /// The content of the files; their names are read only at the start.
    case certificate
    /// The policy for pictures, including the keys in the file of `--sign-key-file`.
    case pictures

    var options: Set<String> {
        switch self {
        case .logLevel: ["log-level"]
        case .origins: ["origin", "origin-header"]
        case .adminToken: ["admin-token-file"]
        case .certificate: []
        case .pictures:
            [
                "widths", "heights", "snap-widths", "formats", "client-hints", "likeness", "sign-key-file",
                "require-signatures", "allow-url", "badge-text", "effort",
            ]
        }
    }
}
