/// Marks requests without whose responses a page or a film is complete enough: sources wait for them for a short time only.
package enum Supplement {
    /// Whether the current task asks for a supplement.
    @TaskLocal package static var isCurrent = false

    /// Runs `body` with its requests marked.
    package static func ask<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async rethrows -> Value {
        try await Self.$isCurrent.withValue(true, operation: body)
    }
}
