import HTTPServer
import HTTPTypes
import Hummingbird

/// Errors in an API's format for paths below its base without a resource.
enum UnknownPaths {
    private static let methods: [HTTPRequest.Method] = [.get, .post, .put, .patch, .delete]

    /// Registers `respond` at all other paths of an API. Call after registering the API's resources.
    static func register(
        of api: CompatibleAPI, on router: Router<ServerRequestContext>, methods: [HTTPRequest.Method] = Self.methods,
        respond: @escaping @Sendable (Request, ServerRequestContext) async throws -> Response
    ) {
        let resources = Set(router.routes.map { "\($0.path)" })
        // A path that is only a prefix of routes has no handler: the router does not match the wildcard beside it.
        let own = resources.filter { $0.hasPrefix(api.base + "/") }
        let prefixes = Set(own.flatMap { Self.prefixes(of: $0, from: api.base) })
        for path in prefixes.union([api.base, api.base + "/**"]).subtracting(resources).sorted() {
            for method in methods { router.on(RouterPath(path), method: method, use: respond) }
        }
    }

    /// The paths between the base and a path below it.
    private static func prefixes(of path: String, from base: String) -> [String] {
        let segments = path.dropFirst(base.count).split(separator: "/")
        return (1..<max(1, segments.count)).map { base + "/" + segments.prefix($0).joined(separator: "/") }
    }
}
