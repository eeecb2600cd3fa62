package import HTTPSemantics

/// An answer for problems of one status, which the document has once for all operations that may meet these.
package struct APIProblemResponse: Hashable, Sendable {
    package let status: Int
    /// In the order of ``Problem/Kind``.
    package let kinds: [Problem.Kind]
    /// False for `HEAD`.
    package let hasBody: Bool

    package init(status: Int, kinds: [Problem.Kind], hasBody: Bool) {
        self.status = status
        self.kinds = Problem.Kind.allCases.filter(kinds.contains)
        self.hasBody = hasBody
    }

    /// What the document calls it: names of components are made of letters, digits, `.`, `-` and `_`.
    package var key: String { self.kinds.map(\.rawValue).joined(separator: ".") + (self.hasBody ? "" : ".head") }

    /// Where the document has it.
    package var reference: JSONValue { ["$ref": .string("#/components/responses/\(self.key)")] }

    /// A Response Object (OpenAPI 3.1, 4.8.17).
    package var json: JSONValue { APIResponse.problems(self.kinds, hasBody: self.hasBody) }
}
