/// The result of a check of `onesheet doctor`.
package struct CheckResult: Hashable, Sendable, Encodable {
    package enum Outcome: String, Sendable, Encodable, CaseIterable {
        case ok
        /// The service works, but something deserves attention.
        case warning
        /// The service, or the part of it that the result names, will not work.
        case failure
        /// Not examined: nothing is configured, or another fault prevents it.
        case skipped
    }

    /// The area of the check, such as `folders`.
    package var check: String
    /// The examined object, such as a path, a source or an address; empty if there is only one.
    package var subject: String
    package var outcome: Outcome
    /// A sentence with the finding and, unless it is good, the remedy.
    package var text: String

    package init(_ outcome: Outcome, _ subject: String = "", _ text: String) {
        self.check = ""
        self.subject = subject
        self.outcome = outcome
        self.text = text
    }
}
