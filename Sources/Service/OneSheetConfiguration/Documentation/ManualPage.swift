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
        let commands = Self.commands(of: self.help)
        for command in commands { lines += Self.synopsis(of: command, name) }
        lines += [".SH DESCRIPTION", Self.text(self.help.discussion ?? ""), ".SH OPTIONS"] + Self.commonOptions
        lines.append(".SH COMMANDS")
        let shared = Set(SettingDescription.all.map(\.name))
        for command in commands {
            lines += Self.section(of: command, leavingOut: command.words == "serve" ? [] : shared)
        }
        lines += Self.closing
        return lines.joined(separator: "\n")
    }

    /// A command that does work of its own, not a group of commands.
    private struct Command {
        /// All words after the program's name, such as `library copy`.
        let words: String
        let help: CommandHelp
    }

    private static func commands(of group: CommandHelp, after words: String = "") -> [Command] {
        (group.subcommands ?? []).filter { $0.commandName != "help" }.flatMap { help in
            let command = Command(words: words + help.commandName, help: help)
            let parts = self.commands(of: help, after: command.words + " ")
            return parts.isEmpty ? [command] : parts
        }
    }

    private static func synopsis(of command: Command, _ program: String) -> [String] {
        let operands = command.help.shownArguments.filter { $0.kind == .positional }.map { argument in
            "\\fI\(self.text(argument.valueName ?? ""))\\fR" + (argument.isRepeating ? " ..." : "")
        }
        let words = ["\\fB\(program) \(self.text(command.words))\\fR", "[\\fIoptions\\fR]"] + operands
        return [words.joined(separator: " "), ".br"]
    }

    private static func section(of command: Command, leavingOut shared: Set<String>) -> [String] {
        let (title, command) = (command.words, command.help)
        var lines = [".SS \(self.text(title))", self.text(command.abstract ?? "")]
        if let discussion = command.discussion { lines += [".PP", self.text(discussion)] }
        let arguments = command.shownArguments
        let takesSettings = arguments.contains { $0.name == "data-dir" }
        if takesSettings, !shared.isEmpty {
            let takesAll = shared.isSubset(of: arguments.map(\.name))
            lines += [
                ".PP",
                takesAll
                    ? "Takes all options of \\fBserve\\fR."
                    : "Takes the options of \\fBserve\\fR that do not concern its clients.",
            ]
        }
        var heading: String?
        for argument in arguments where !takesSettings || !shared.contains(argument.name) {
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

    /// Escapes text for troff.
    static func text(_ text: String) -> String {
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
