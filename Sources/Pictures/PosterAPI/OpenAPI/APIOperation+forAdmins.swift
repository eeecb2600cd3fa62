import HTTPSemantics
package import OpenAPI

extension APIOperation {
    package static let forAdmins: [APIOperation] = [
        APIOperation(
            method: .post, path: "/poster/prefetch", name: "prefetch", summary: "Make posters before anybody asks",
            meaning: "Every width of every poster in every format. What is cached or queued already costs nothing.",
            body: Body(
                schema: .reference("WarmOrder"),
                meaning:
                    "At most \(WarmOrder.maxBytes) bytes, \(WarmOrder.idLimit) ids and \(WarmOrder.widthLimit) widths."),
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
