/// The manual page `onesheet(1)` in troff with the man(7) macros, generated from the help of the commands.
package struct ManualPage {
    private let help: CommandHelp

    package init(_ help: CommandHelp) {
        self.help = help
    }

    package var troff: String {
        let name = self.help.commandName
        // No date: the same program gives the same page.
        var lines = [
            ".TH \(name.uppercased()) 1 \"\" \"OneSheet \(ProductVersion.current)\"",
            ".SH NAME", "\(name) \\- " + Self.text(self.help.abstract ?? ""), ".SH SYNOPSIS",
        ]
        for command in self.commands { lines += Self.synopsis(of: command, name) }
        lines += [".SH DESCRIPTION", Self.text(self.help.discussion ?? ""), ".SH COMMANDS"]
        let shared = Set(SettingDescription.all.map(\.name))
        for command in self.commands {
            lines += Self.section(of: command, leavingOut: command.commandName == "serve" ? [] : shared)
        }
        lines += Self.closing
        return lines.joined(separator: "\n")
    }

    private var commands: [CommandHelp] {
        (self.help.subcommands ?? []).filter { $0.commandName != "help" }
    }

    private static func synopsis(of command: CommandHelp, _ program: String) -> [String] {
        let operands = command.shownArguments.filter { $0.kind == .positional }.map { argument in
            "\\fI\(self.text(argument.valueName ?? ""))\\fR" + (argument.isRepeating ? " ..." : "")
        }
        let words = ["\\fB\(program) \(self.text(command.commandName))\\fR", "[\\fIoptions\\fR]"] + operands
        return [words.joined(separator: " "), ".br"]
    }

    private static func section(of command: CommandHelp, leavingOut shared: Set<String>) -> [String] {
        var lines = [".SS \(self.text(command.commandName))", self.text(command.abstract ?? "")]
        if let discussion = command.discussion { lines += [".PP", self.text(discussion)] }
        let arguments = command.shownArguments
        let takesConfig = arguments.contains { $0.name == SettingsFile.option }
        if takesConfig, !shared.isEmpty {
            let takesAll = shared.isSubset(of: arguments.map(\.name))
            lines += [
                ".PP",
                takesAll
                    ? "Takes all options of \\fBserve\\fR."
                    : "Takes the options of \\fBserve\\fR that do not concern its clients.",
            ]
        }
        var heading: String?
        for argument in arguments where !takesConfig || !shared.contains(argument.name) {
            if let title = argument.sectionTitle, title != heading {
                heading = title
                lines += [".PP", self.text(title) + ":"]
            }
            let form = self.form(of: argument, isNegatable: command.isNegatable(argument.name))
            lines += [".TP", form, self.text(argument.abstract ?? "")]
        }
        return lines
    }

    private static func form(of argument: CommandHelp.Argument, isNegatable: Bool) -> String {
        let value = "\\fI\(self.text(argument.valueName ?? ""))\\fR"
        switch argument.kind {
        case .positional: return value
        case .flag:
            let name = "\\fB\(self.text("--" + argument.name))\\fR"
            return isNegatable ? name + ", \\fB\(self.text("--no-" + argument.name))\\fR" : name
        case .option: return "\\fB\(self.text("--" + argument.name))\\fR \(value)"
        }
    }

    private static var closing: [String] {
        let reloadable = SettingDescription.all.filter(\.isReloadable).map { "--" + $0.name }.joined(separator: ", ")
        return [
            ".SH ENVIRONMENT",
            self.text(
                "Every option has an environment variable: \(Settings.variable("data-dir")) is --data-dir. Values of "
                    + "repeatable options are separated by commas. An empty variable is ignored."),
            ".SH FILES",
            self.text(
                "The file of --config or \(Settings.variable(SettingsFile.option)) is JSON or YAML, by its extension: "
                    + "one object with option names without dashes as keys, and lists for repeatable options. "
                    + "Unknown keys are errors."),
            ".SH SIGNALS", ".TP", "SIGTERM, SIGINT", "Stop gracefully; a second signal stops at once.", ".TP", "SIGHUP",
            self.text(
                "Reload the configuration and apply \(reloadable); the file of --admin-token-file is read again. "
                    + "An invalid configuration changes nothing."),
            ".SH EXIT STATUS", "0 on success, 64 if the command line or a setting is invalid, else 1.",
        ]
    }

    /// Escapes text for troff.
    private static func text(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "^": result += "\\(ha"
            case "~": result += "\\(ti"
            case "`": result += "\\(ga"
            case "\n": result += " "
            case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result += "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
            }
        }
        // A line that begins with a dot is a troff request.
        return result.hasPrefix(".") ? "\\&" + result : result
    }
}

/// The table of options in docs/configuration.md.
package enum SettingsTable {
    static let begin = "<!-- configuration -->"
    static let end = "<!-- /configuration -->"

    package static func markdown(_ options: [SettingDescription]) -> String {
        var lines = ["| option of `serve` | default | |", "|---|---|---|"]
        for option in options {
            var meaning = self.escaped(option.meaning)
            if option.isReloadable { meaning += " †" }
            lines.append("| `--\(option.name)` | \(self.cell(of: option.defaultText)) | \(meaning) |")
        }
        return lines.joined(separator: "\n")
    }

    /// Formats a value as code, and words as they are.
    private static func cell(of text: String?) -> String {
        guard let text else { return "–" }
        return text.contains(" ") ? self.escaped(text) : "`\(text)`"
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            if "|\\*_<>`[]".contains(character) { result.append("\\") }
            result.append(character)
        }
        return result
    }
}
