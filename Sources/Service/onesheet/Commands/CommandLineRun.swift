import ArgumentParser
import OneSheetConfiguration

/// Runs the command that a command line names.
struct CommandLineRun {
    /// Without the program's name.
    let arguments: [String]

    /// The words that begin with a dash, without values.
    private var options: [String] {
        self.arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("-") }.map { String($0.prefix { $0 != "=" }) }
    }

    /// Runs the command, and writes its help or its error.
    /// - Returns: The exit status.
    func status() async -> Int32 {
        do {
            try self.check()
            var command = try await OneSheet.asyncParseAsRoot(self.arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            return ExitCode.success.rawValue
        } catch {
            return self.report(error)
        }
    }

    /// Rejects errors for which the parser has no suggestion.
    /// - Throws: `ValidationError`.
    func check() throws {
        let command = NamedCommand(self.arguments)
        try command.check()
        try self.checkRepetition(command)
        // To the parser -width is -w -i -d -t -h, which is a request for help.
        let candidates = self.options.filter { $0.utf8.count > 2 && !$0.hasPrefix("--") }
        guard !candidates.isEmpty else { return }
        let known = try CommandHelp(command.type).optionNames
        for word in candidates where known.contains("-" + word) {
            throw ValidationError(Self.unknownOption(word, nearest: "-" + word))
        }
    }

    /// Of an option of `render` that is given twice, the parser would keep only the last value.
    /// - Throws: `ValidationError`.
    private func checkRepetition(_ command: NamedCommand) throws {
        guard command.type == Render.self else { return }
        let names = try CommandHelp(command.type).valueOptions
        var values: [String: [String]] = [:]
        let words = Array(self.arguments.prefix { $0 != "--" })
        for (index, word) in words.enumerated() {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            // Of a missing value the parser has an error.
            guard let option = names[parts[0]],
                let value = parts.count > 1 ? parts[1] : words.dropFirst(index + 1).first
            else { continue }
            values[option, default: []].append(value)
            guard let all = values[option], all.count > 1 else { continue }
            let hint = Render.lists.contains(option) ? "; write \(option) \(all.joined(separator: ","))" : ""
            throw ValidationError("\(option) is given twice\(hint)")
        }
    }

    private func report(_ error: any Error) -> Int32 {
        let code = OneSheet.exitCode(for: error)
        if code.isSuccess {
            let text = self.help(for: error)
            do {
                if !text.isEmpty { try StandardOutput.write(text) }
            } catch {
                return StandardError.failure("\(error)").rawValue
            }
        } else if let text = self.errorText(for: error) {
            StandardError.write(text)
        }
        return code.rawValue
    }

    /// A requested help, version or completion script.
    private func help(for error: any Error) -> String {
        let text = OneSheet.fullMessage(for: error)
        guard text.contains("\nUSAGE: "), !self.arguments.contains("--help-hidden"),
            let command = NamedCommand(self.arguments).type as? any AbridgedHelp.Type
        else { return text }
        return command.abridgedHelp(columns: nil) ?? text
    }

    /// One line with the reason; a second one with the usage if the command line is wrong.
    /// - Returns: `nil` if the command has reported its failure.
    func errorText(for error: any Error) -> String? {
        let message = OneSheet.message(for: error)
        guard !message.isEmpty else { return nil }
        guard OneSheet.exitCode(for: error) == .validationFailure else { return "onesheet: \(Self.line(message))" }
        let command = NamedCommand(self.arguments)
        let reason = (try? self.misspelledOption(of: command)) ?? Self.line(message)
        return "onesheet: \(reason)\nusage: \(command.usage)"
    }

    /// The first option that the command does not have. Its value may have been read as an operand, and the parser's
    /// error be about that.
    private func misspelledOption(of command: NamedCommand) throws -> String? {
        guard command.unknown == nil else { return nil }
        let known = try CommandHelp(command.type).optionNames
        guard let unknown = self.options.first(where: { $0.hasPrefix("--") && !known.contains($0) }) else { return nil }
        return Self.line(Self.unknownOption(unknown, nearest: SpellingDistance.nearest(to: unknown, among: known)))
    }

    private static func unknownOption(_ name: String, nearest: String?) -> String {
        "there is no option '\(name)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "")
    }

    /// The message on one line, without a full stop.
    private static func line(_ message: String) -> String {
        let lines = message.split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " } }
        var text = TerminalText.escaped(lines.joined(separator: " "))
        if text.last == "." { text.removeLast() }
        // A word, and not a name in capitals.
        if let first = text.first, text.dropFirst().first?.isLowercase == true {
            text.replaceSubrange(...text.startIndex, with: first.lowercased())
        }
        return text
    }
}
