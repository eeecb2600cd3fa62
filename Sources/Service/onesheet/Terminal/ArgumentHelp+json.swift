import ArgumentParser

extension ArgumentHelp {
    /// Of the flag `--json` of commands that print one result.
    static let jsonResult: ArgumentHelp = "The result as one JSON object on one line."
}
