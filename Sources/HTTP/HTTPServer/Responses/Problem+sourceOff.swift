package import HTTPSemantics

extension Problem {
    /// Names what would switch a source on, however it is configured.
    ///
    /// - Parameter option: Such as `--tmdb-key`; empty when nothing would.
    package static func sourceOff(_ name: String, option: String) -> Problem {
        let words = option.split(separator: "-").map { $0.uppercased() }.joined(separator: "_")
        let remedy = "; \(option), or ONESHEET_\(words) in the environment, switches it on"
        return Problem(.sourceOff, "\(name) is not configured" + (option.isEmpty ? "" : remedy))
    }
}
