/// Marks requests for optional data: sources wait for their responses only for a short time.
package enum Supplement {
    /// Whether the current task requests optional data.
    @TaskLocal package static var isCurrent = false

    package static func ask<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async rethrows -> Value {
        try await Self.$isCurrent.withValue(true, operation: body)
    }
}
