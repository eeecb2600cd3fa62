import ArgumentParser
import OneSheetConfiguration

/// A command that prints one result. Each has these options of its own: a group of them, around the groups of ``ServiceOptions``,
/// would make the start of a debug build, which validates groups once for each validator of the groups around them, seconds longer.
protocol ResultCommand {
    var json: Bool { get }
    var service: ServiceOptions { get }
}

extension ArgumentHelp {
    /// Of ``ResultCommand/json``.
    static let jsonResult: ArgumentHelp = "The result as one JSON object on one line."
}
