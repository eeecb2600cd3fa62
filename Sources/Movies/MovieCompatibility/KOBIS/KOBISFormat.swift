/// The formats of KOBIS' documents, selected by the suffix of the path.
enum KOBISFormat: String, Hashable, Sendable, CaseIterable {
    case json, xml

    var mediaType: String {
        switch self {
        case .json: "application/json;charset=utf-8"
        case .xml: "text/xml;charset=utf-8"
        }
    }

    func bytes(_ document: OrderedJSON) -> [UInt8] {
        switch self {
        case .json: document.bytes
        case .xml: DocumentXML(item: { Self.item(of: $0) }).bytes(document)
        }
    }

    /// `dailyBoxOfficeList` has elements `dailyBoxOffice`, `nations` elements `nation`.
    private static func item(of list: String) -> String {
        if list.hasSuffix("List") { return String(list.dropLast("List".count)) }
        return list.hasSuffix("s") ? String(list.dropLast()) : list
    }
}
