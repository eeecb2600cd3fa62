import ArgumentParser

extension ArgumentHelp {
    static let jsonResult: ArgumentHelp = "The result as one JSON object on one line."
}
