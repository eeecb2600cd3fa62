/// An option of `serve`, for those who read about it.
///
/// Everything comes from the option's declaration: its help is what it means, then "Default: " and what holds without it.
package struct SettingDescription: Equatable {
    package let name: String
    let isFlag: Bool
    let isRepeatable: Bool
    /// A sentence or more, without its last stop.
    let meaning: String
    /// As it would be given, or in words; nil when there is none.
    let defaultText: String?
    /// The heading that the help puts it under.
    let section: String?

    /// Values that nobody but the server may see.
    static let secret = Set(["origin-header"]).union(SourceOptions.keyOptions.values)

    /// Masked where it is shown.
    var isSecret: Bool { Self.secret.contains(self.name) }
    /// Takes effect when the configuration is read again.
    var isReloadable: Bool { ReloadablePart.allCases.contains { $0.options.contains(self.name) } }

    /// All options of `serve`, in the order of its help.
    package static let all: [SettingDescription] = {
        do {
            return try CommandHelp(ServeOptions.self).shownArguments.map(SettingDescription.init)
        } catch {
            // What the parser tells of this program's own declarations; the tests read it.
            preconditionFailure("the help of 'serve' cannot be read: \(error)")
        }
    }()

    /// What a file of options may hold, and whether it takes several values.
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
        self.section = argument.sectionTitle
    }

    private static func trimmed(_ text: String) -> String {
        var text = text[...]
        while let last = text.last, last == " " || last == "." { text.removeLast() }
        return String(text)
    }
}

/// What a running server takes over from a configuration that is read again.
package enum ReloadablePart: CaseIterable {
    case logLevel
    case origins
    /// The file's content, that is; whether there are admin routes is settled at the start.
    case adminToken
    /// The files' content, too; which files they are is settled at the start.
    case certificate
    /// What may be asked for, with the signing keys that are in the file.
    case pictures

    /// The options that it comes from.
    var options: Set<String> {
        switch self {
        case .logLevel: ["log-level"]
        case .origins: ["origin", "origin-header"]
        case .adminToken: ["admin-token-file"]
        case .certificate: []
        case .pictures:
            [
                "widths", "heights", "snap-widths", "client-hints", "sign-key-file", "require-signatures", "allow-url",
                "effort",
            ]
        }
    }
}
