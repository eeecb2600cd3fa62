import PosterPipeline

extension ReencodingLimits {
    init?(_ settings: Settings) throws {
        self.init()
        let allowed = "off, on, or a share of the codec threads' time from 1% to 100%"
        let share: Double?? = try settings.valueOrOff("reencode", allowed: allowed) { text in
            if text == "on" { return ReencodingLimits().cpuShare }
            let percent = text.hasSuffix("%") ? ByteCount.number(in: text, before: "%") : nil
            return percent.flatMap { (1...100).contains($0) ? Double($0) / 100 : nil }
        }
        if let value = try settings.number("reencode-after", in: Self.useCounts) { self.uses = value }
        if let value = try settings.number("reencode-queue", in: 1...1_000_000) { self.queueLimit = value }
        switch share {
        case .none: break
        case .some(.none): return nil
        case .some(.some(let share)): self.cpuShare = share
        }
    }
}
