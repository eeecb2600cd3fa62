import Testing

@testable import HTTPSemantics
@testable import HTTPServer
@testable import OpenAPI

struct MethodTableTests {
    @Test(
        "resources have the methods of their routes, those that are named before those that may be anything",
        arguments: [
            ("/", "GET, HEAD"), ("/a", "GET, HEAD, POST"), ("/b/x", "PUT, DELETE"), ("/b/c", "POST"), ("/b/c/d", nil),
            ("/b/", nil), ("/c", nil), ("/a/c", nil), ("/a?x=/b", "GET, HEAD, POST"), ("/x/c", "GET, HEAD"),
            // A path that is only a prefix of routes has no methods; a wildcard beside it must not match.
            ("/d/e", nil), ("/d/x", "GET, HEAD"), ("/d/e/x", "GET, HEAD"), ("/d", nil),
        ] as [(String, String?)])
    func methods(target: String, methods: String?) {
        let table = MethodTable()
        #expect(table.methods(of: RequestTarget(target)) == nil)
        table.learn(
            [
                ("GET", "/"), ("POST", "/a"), ("GET", "/a"), ("DELETE", "/b/{id}"), ("PUT", "/b/{id}"),
                ("POST", "/b/c"),
                ("GET", "/{x}/c"), ("GET", "/d/{id}"), ("GET", "/d/e/{name}"),
            ].map { APIDescription.Route(method: $0.0, path: $0.1) }, forAdmins: [])
        #expect(table.methods(of: RequestTarget(target)) == methods)
    }
}
