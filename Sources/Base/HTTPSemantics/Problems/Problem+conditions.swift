extension Problem {
    /// For `If-Match` and `If-Unmodified-Since` (RFC 9110, 13.1).
    package static let preconditionFailed = Problem(
        .preconditionFailed, "what is here is not what If-Match or If-Unmodified-Since asks for")

    /// - Parameter length: Of all, in bytes.
    package static func rangeNotSatisfiable(length: Int) -> Problem {
        var problem = Problem(
            .rangeNotSatisfiable, "the range begins behind the end; there are \(length) bytes")
        problem.wholeLength = length
        return problem
    }
}
