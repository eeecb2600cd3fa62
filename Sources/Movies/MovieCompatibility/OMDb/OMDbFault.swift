/// A fault in OMDb's words. “Not found” has status 200.
struct OMDbFault: Error, Hashable, Sendable {
    let status: Int
    let message: String

    private init(_ message: String, status: Int = 200) {
        self.status = status
        self.message = message
    }

    static let id = OMDbFault("Incorrect IMDb ID.")
    static let tooMany = OMDbFault("Too many results.")
    static let noKey = OMDbFault("No API key provided.", status: 401)
    static let key = OMDbFault("Invalid API key!", status: 401)
    static let quota = OMDbFault("Request limit reached!", status: 401)
    static let encoding = OMDbFault("The query is not percent-encoded.", status: 400)
    static let resource = OMDbFault("There is no resource at this path.", status: 404)
    static let system = OMDbFault("Error getting data.", status: 503)

    static func notFound(_ kind: OMDbRequest.Kind) -> OMDbFault { OMDbFault("\(kind.name) not found!") }

    var document: OrderedJSON { ["Response": "False", "Error": .string(self.message)] }
}
