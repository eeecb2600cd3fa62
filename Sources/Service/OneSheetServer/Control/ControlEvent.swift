/// What the server tells a command meanwhile and in the end: JSON lines, of which the last is ``finished(summary:text:)``
/// or ``failed(reason:)``.
package enum ControlEvent: Codable, Equatable, Sendable {
    /// `total` is nil as long as it is not known.
    case progress(done: Int, total: Int?, note: String?)
    /// The result: numbers for machines, the same in words for people.
    case finished(summary: [String: Int], text: String)
    /// Why there is none, as a clause.
    case failed(reason: String)

    /// Whether nothing follows.
    var isLast: Bool {
        switch self {
        case .progress: false
        case .finished, .failed: true
        }
    }
}
