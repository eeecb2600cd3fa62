import HTTPSemantics
package import Hummingbird
import NIOCore

/// Slots of a document that are filled for each client, so that it is encoded once for all of them.
extension EncodedResponse {
    /// A placeholder in the body.
    package struct Slot: Hashable, Sendable {
        /// Range in bytes, including JSON's quotation marks.
        let range: Range<Int>
        package let name: String
    }

    /// Prefix of the slots' texts, with 256 random bits per process, so that no text of a source can contain it.
    private static let slotPrefix: String = {
        var generator = SystemRandomNumberGenerator()
        return "slot:" + (0..<4).map { _ in String(generator.next() as UInt64, radix: 16) }.joined() + ":"
    }()
    /// Delimiter of a page's slot. Text that is escaped for HTML does not contain this character.
    private static let pageMark: Character = "\u{1}"

    /// The value that makes a member of a JSON document a slot.
    ///
    /// - Parameter name: Characters that JSON does not escape.
    package static func slotText(_ name: String) -> String { self.slotPrefix + name }

    /// The text of a slot in a page: between elements, or between attributes of a tag.
    ///
    /// - Parameter name: Must not contain control characters.
    package static func pageSlot(_ name: String) -> String {
        "\(self.pageMark)\(self.slotPrefix)\(name)\(self.pageMark)"
    }

    static func slots(in bytes: [UInt8], _ format: Format) -> [Slot] {
        let mark = format == .json ? UInt8(ascii: "\"") : Self.pageMark.asciiValue!
        let start = [mark] + Array(Self.slotPrefix.utf8)
        var slots: [Slot] = []
        var position = 0
        while let found = bytes[position...].firstIndex(of: mark) {
            position = found + 1
            guard bytes[found...].starts(with: start) else { continue }
            let name = bytes[(found + start.count)...].prefix { $0 != mark }
            guard name.endIndex < bytes.endIndex else { break }
            position = name.endIndex + 1
            slots.append(Slot(range: found..<position, name: String(decoding: name, as: UTF8.self)))
        }
        return slots
    }

    /// Splits the document for its digest: the parts, unlike the slots' texts, are the same in all processes.
    static func parts(of bytes: [UInt8], around slots: [Slot]) -> [String] {
        var parts: [String] = []
        var end = 0
        for slot in slots {
            parts += [String(decoding: bytes[end..<slot.range.lowerBound], as: UTF8.self), slot.name]
            end = slot.range.upperBound
        }
        return parts + [String(decoding: bytes[end...], as: UTF8.self)]
    }

    /// Same as ``filled(forAll:with:)``, with a text for each name.
    package func filled(forAll isForAll: Bool = false, _ text: (_ name: String) -> String) -> EncodedResponse {
        self.filled(forAll: isForAll, with: self.slots.map { text($0.name) })
    }

    /// Returns the response with its slots filled. Unless it is for all clients, caches may serve it to no other
    /// client, and a page has no tag, because tokens of forms differ every time.
    ///
    /// - Parameters:
    ///   - isForAll: Whether the texts are the same for all anonymous clients.
    ///   - texts: The text of each slot, in order: JSON or HTML.
    package func filled(forAll isForAll: Bool = false, with texts: [String]) -> EncodedResponse {
        var bytes = ByteBuffer()
        bytes.reserveCapacity(self.bytes.readableBytes + texts.reduce(0) { $0 + $1.utf8.count })
        var end = 0
        for (slot, text) in zip(self.slots, texts) {
            bytes.write(self.bytes, from: end, to: slot.range.lowerBound)
            bytes.writeString(text)
            end = slot.range.upperBound
        }
        bytes.write(self.bytes, from: end, to: self.bytes.readableBytes)
        var response = self
        response.bytes = bytes
        response.slots = []
        response.tag = self.tag.map { EntityTag(digestOf: [$0.description] + texts) }
        guard !isForAll else { return response }
        response.variance.insert(self.format == .json ? .caller : .cookie)
        if self.format == .page { response.tag = nil }
        response.isForAll = false
        if self.caching != .none { response.caching = .own }
        return response
    }

    /// Returns a response to one client in the coding that it accepts. Only for bodies that mask every secret by new
    /// random bytes: see ``HTTPTypes/HTTPFields/offerCompression(length:)``.
    ///
    /// - Returns: The response itself if compression gains too little.
    package func compressed(for request: Request) -> EncodedResponse {
        guard CompressedBodies.lengths.contains(self.bytes.readableBytes),
            let coding = AcceptEncoding(request.headers.combined(.acceptEncoding)).coding,
            let bytes = coding.compressed(self.bytes)
        else { return self }
        var response = self
        response.bytes = bytes
        response.coding = coding
        return response
    }
}

extension ByteBuffer {
    /// - Parameters:
    ///   - start: Offset in `other`'s readable bytes.
    ///   - end: Not before `start`.
    fileprivate mutating func write(_ other: ByteBuffer, from start: Int, to end: Int) {
        self.writeBytes(other.readableBytesView[(other.readerIndex + start)..<(other.readerIndex + end)])
    }
}
