import Synchronization

/// Which methods the resources have, by what is registered. Safe from any thread.
final class MethodTable: Sendable {
    /// One template and all that can be done with what it is of.
    private struct Resource {
        /// nil for whatever stands there.
        let segments: [String?]
        var methods: [String]

        func matches(_ path: [Substring]) -> Bool {
            self.segments.count == path.count
                && zip(self.segments, path).allSatisfy { template, segment in
                    template.map { $0[...] == segment } ?? !segment.isEmpty
                }
        }
    }

    /// In the order in which they are tried.
    private let resources = Mutex<[Resource]>([])
    private static let order = ["GET", "HEAD", "POST", "PUT", "DELETE"]

    /// Middleware is there before the routes are: it gets the table first, and the table gets them last.
    func learn(_ routes: some Sequence<APIDescription.Route>) {
        var byPath: [String: Resource] = [:]
        for route in routes {
            let segments = route.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
                .map { $0.hasPrefix("{") ? nil : String($0) }
            byPath[route.path, default: Resource(segments: segments, methods: [])].methods +=
                route.method == "GET" ? ["GET", "HEAD"] : [route.method]
        }
        // As the router does it: what is named goes before what may be anything, the first segment first.
        let resources = byPath.values.sorted { left, right in
            left.segments.map { $0 == nil ? 1 : 0 }.lexicographicallyPrecedes(
                right.segments.map { $0 == nil ? 1 : 0 })
        }
        self.resources.withLock { $0 = resources }
    }

    /// The methods of the resource at `target`, separated by commas, without `OPTIONS`; nil when there is none.
    func methods(of target: RequestTarget) -> String? {
        let segments = target.segments
        let resource = self.resources.withLock { $0 }.first { $0.matches(segments) }
        guard let resource else { return nil }
        return Self.order.filter(resource.methods.contains).joined(separator: ", ")
    }
}
