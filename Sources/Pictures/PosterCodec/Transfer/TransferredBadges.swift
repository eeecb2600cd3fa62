// The message format of badges; see `TransferredJob.swift`. Values outside of the limits are malformed.

extension Badges: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.write(self.badges)
        message.write(self.position)
        message.write(self.style)
    }

    package init(from message: inout MessageReader) throws(MalformedMessage) {
        let badges: [Badge] = try message.read()
        guard badges.count <= Self.limit, let all = try Self(badges, position: message.read(), style: message.read())
        else { throw MalformedMessage() }
        self = all
    }
}

extension Badges.Badge: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.write(self.text)
        message.write(self.colour)
    }

    package init(from message: inout MessageReader) throws(MalformedMessage) {
        let text: String = try message.read()
        guard text.utf8.count <= Self.maxTextBytes, (1...Self.maxTextLength).contains(text.count) else {
            throw MalformedMessage()
        }
        self.init(text: text, colour: try message.read())
    }
}

extension Badges.Position: MessageValue {}
extension Badges.Style: MessageValue {}
