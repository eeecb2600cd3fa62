/// Naver's results as RSS 2.0.
struct NaverXML {
    private static let declaration = #"<?xml version="1.0" encoding="UTF-8"?>"#

    /// What was searched for.
    let query: String

    /// - Parameter document: As JSON has it. The texts of items are HTML already: they are escaped once more, as Naver did.
    func bytes(_ document: OrderedJSON) -> [UInt8] {
        let start: [OrderedJSON.Member] = [
            .init("title", .string("Naver Open API - movie ::'\(self.query)'")),
            .init("link", "http://search.naver.com"), .init("description", "Naver Search Result"),
        ]
        let items = (document["items"]?.elements ?? []).map { OrderedJSON.Member("item", $0) }
        let all = OrderedJSON.object(start).adding(document.removing("items")).adding(.object(items))
        let channel = DocumentXML(item: { $0 }).elements(all)
        return Array("\(Self.declaration)<rss version=\"2.0\"><channel>\(channel)</channel></rss>".utf8)
    }

    static func bytes(ofFault document: OrderedJSON) -> [UInt8] {
        DocumentXML(item: { $0 }).bytes(["result": document])
    }
}
