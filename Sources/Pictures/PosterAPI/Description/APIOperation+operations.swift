import HTTPSemantics
package import OpenAPI

extension APIOperation {
    package static let operations: [APIOperation] = [
        APIOperation(
            method: .get, path: "/healthz", name: "health", summary: "How the service is",
            meaning: "Answered from counters, without waiting for anything.",
            responses: [
                .json(200, "It is alive.", .reference("Health"), headers: [.noStore])
            ]),
        APIOperation(
            method: .get, path: "/metrics", name: "metrics", summary: "The service in numbers",
            meaning: "Prometheus's text format 0.0.4.",
            responses: [
                APIResponse(
                    status: 200, meaning: "The numbers.", headers: [.noStore, .noSniffing],
                    content: ["text/plain": .any])
            ]),
    ]
    /// Readiness for load balancers.
    package static let readiness: [APIOperation] = [
        APIOperation(
            method: .get, path: "/readyz", name: "readiness", summary: "Whether it should be sent requests",
            meaning: "An origin that is left alone is shown, but no reason.",
            responses: [
                .json(200, "It should.", .reference("Readiness"), headers: [.noStore]),
                .json(503, "It should not, for these reasons.", .reference("Readiness"), headers: [.noStore]),
            ])
    ]
}

extension APIOperation {
    package static let forAdmins: [APIOperation] = [
        APIOperation(
            method: .post, path: "/poster/prefetch", name: "prefetch", summary: "Make posters before anybody asks",
            meaning: "Every width of every poster in every format. What is cached or queued already costs nothing.",
            body: Body(
                schema: .reference("WarmOrder"),
                meaning:
                    "At most \(WarmRequest.maxBytes) bytes, \(WarmRequest.idLimit) ids and \(WarmRequest.widthLimit) widths."
            ),
            responses: [
                APIResponse(
                    status: 202, meaning: "How many variants became what.", headers: [.noStore, .noSniffing],
                    content: [
                        "application/json": .object([
                            "queued": .integer(), "cached": .integer(), "refused": .integer(),
                        ])
                    ])
            ], problems: [.invalidBody, .bodyTooLarge], isForAdmins: true),
        APIOperation(
            method: .delete, path: "/poster/prefetch", name: "cancelPrefetch", summary: "Stop what is made beforehand",
            meaning: "Forgets what waits, and stops what is being made.",
            responses: [
                APIResponse(
                    status: 200, meaning: "How many variants will not be made.", headers: [.noStore, .noSniffing],
                    content: ["application/json": .object(["cancelled": .integer()])])
            ], isForAdmins: true),
    ]
}
