/// Naver's results as RSS 2.0.
struct NaverXML {
    private static let declaration = #"<?xml version="1.0" encoding="UTF-8"?>"#

    let query: String

    /// - Parameter document: The JSON results. Texts of items are HTML already, and escaped once more, as at Naver.
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
