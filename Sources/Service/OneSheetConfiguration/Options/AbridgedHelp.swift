package import ArgumentParser

/// A command with a help that omits the options shared with `serve`.
package protocol AbridgedHelp: ParsableCommand {
    /// The help with the command's own options, and lines that say where the shared ones are.
    /// - Parameter columns: Width of the lines; `nil` for the terminal's.
    /// - Returns: `nil` if the command shares no options.
    static func abridgedHelp(columns: Int?) -> String?

    /// The usage that belongs to this help, without a title; `nil` for ArgumentParser's.
    static var abridgedUsage: String? { get }
}

extension AbridgedHelp {
    package static var abridgedUsage: String? { nil }
}

extension ServiceCommand: AbridgedHelp {
    package static func abridgedHelp(columns: Int?) -> String? {
        guard let usage = self.abridgedUsage else { return nil }
        let help = OwnOptions<Action>.helpMessage(columns: columns)
        let note =
            Action.ServerOptions.self == NoOptions.self
            ? """
            Also takes the options of 'serve' that do not concern its clients, such as
            --config and --data-dir: see 'onesheet help serve' or --help-hidden.
            """ : "Also takes all options of 'serve': see 'onesheet help serve' or --help-hidden."
        return help.replacing(OwnOptions<Action>.usageString(), with: usage, maxReplacements: 1) + "\n" + note
    }

    package static var abridgedUsage: String? {
        // The options of 'serve' are its own.
        guard Action.configuration.commandName != "serve" else { return nil }
        return OwnOptions<Action>.usageString() + " [<options of 'serve'>]"
    }
}

/// The own options of a command, as a command that has a help.
private struct OwnOptions<Action: ServiceAction>: ParsableCommand {
    static var configuration: CommandConfiguration {
        var configuration = Action.configuration
        configuration._superCommandName = "onesheet"
        return configuration
    }

    @OptionGroup
    var action: Action
}
