import HTTPSemantics
package import OpenAPI

extension APIOperation {
    package static let operations: [APIOperation] = [
        APIOperation(
            method: .get, path: "/healthz", name: "health", summary: "Health of the service",
            meaning: "Reads counters only; contacts no other service.",
            responses: [
                .json(200, "The process is alive.", .reference("Health"), headers: [.noStore])
            ]),
        APIOperation(
            method: .get, path: "/metrics", name: "metrics", summary: "Metrics of the service",
            meaning: "Prometheus's text format 0.0.4.",
            responses: [
                APIResponse(
                    status: 200, meaning: "The metrics.", headers: [.noStore, .noSniffing],
                    content: ["text/plain": .any])
            ]),
    ]
    package static let readiness: [APIOperation] = [
        APIOperation(
            method: .get, path: "/readyz", name: "readiness", summary: "Readiness of the server",
            meaning: "Lists origins with an open circuit breaker; they do not affect the status.",
            responses: [
                .json(200, "The server is ready.", .reference("Readiness"), headers: [.noStore]),
                .json(
                    503, "The server is not ready; the body lists the reasons.", .reference("Readiness"),
                    headers: [.noStore]),
            ])
    ]
}

extension APIOperation {
    package static let forAdmins: [APIOperation] = [
        APIOperation(
            method: .post, path: "/poster/prefetch", name: "prefetch", summary: "Render posters in advance",
            meaning: "Queues every width of every poster in every format. Skips variants that are cached or queued.",
            body: Body(
                schema: .reference("WarmOrder"),
                meaning:
                    "At most \(WarmRequest.maxBytes) bytes, \(WarmRequest.idLimit) ids and \(WarmRequest.widthLimit) widths."
            ),
            responses: [
                APIResponse(
                    status: 202, meaning: "Numbers of variants, by outcome.", headers: [.noStore, .noSniffing],
                    content: [
                        "application/json": .object([
                            "queued": .integer(), "cached": .integer(), "refused": .integer(),
                        ])
                    ])
            ], problems: [.invalidBody, .bodyTooLarge], isForAdmins: true),
        APIOperation(
            method: .delete, path: "/poster/prefetch", name: "cancelPrefetch", summary: "Cancel rendering in advance",
            meaning: "Drops queued variants and cancels those in progress.",
            responses: [
                APIResponse(
                    status: 200, meaning: "Number of cancelled variants.", headers: [.noStore, .noSniffing],
                    content: ["application/json": .object(["cancelled": .integer()])])
            ], isForAdmins: true),
    ]
}
