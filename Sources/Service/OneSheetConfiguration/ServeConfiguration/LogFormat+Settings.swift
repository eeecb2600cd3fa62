import HTTPServer

extension Settings {
    /// Whether there is an access log, and how its lines are written.
    ///
    /// - Returns: nil without one.
    func accessLog(_ option: String) throws -> LogFormat? {
        let off = "off"
        let allowed = ([off] + LogFormat.allCases.map(\.rawValue)).joined(separator: ", ")
        let choice: LogFormat?? = try self.value(option, allowed: allowed) { text in
            text == off ? .some(nil) : LogFormat(rawValue: text).map { .some($0) }
        }
        return choice ?? nil
    }
}
