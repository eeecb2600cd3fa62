extension Problem {
    /// The parameter that is wrong, for pages in other languages than ``detail``. Not part of the JSON object.
    public struct Parameter: Hashable, Sendable {
        /// The fault of a parameter.
        public enum Fault: Hashable, Sendable {
            /// The value is not accepted.
            case value
            /// The parameter occurs more than once.
            case repetition
            /// The service's sources do not support the parameter.
            case unsupported
        }

        /// The name in the query.
        public let name: String
        /// The parameter's fault.
        public let fault: Fault

        /// Creates a description of a wrong parameter; by default, its value is not accepted.
        public init(_ name: String, _ fault: Fault = .value) {
            self.name = name
            self.fault = fault
        }
    }
}
