import CodecTesting
import PictureTesting
import PosterCodec
import Testing

@testable import PosterPipeline

struct ReencodingQueueTests {
    private let facts: OriginalFacts

    init() throws {
        let header = try inspect(TestPicture.jpeg(width: 400, height: 600).span.bytes, limits: .init())
        self.facts = OriginalFacts(digest: Digest(of: "heat"), header: header)
    }

    private func reencoding(_ width: Int, level: Int = 0) throws -> Reencoding {
        let (id, target) = (try PosterID(key: "heat"), RenderTarget(width: width, format: .jpeg))
        let key = try VariantKey(id: id, facts: self.facts, target: target)
        var reencoding = Reencoding(source: key, sourceTarget: target, key: key, target: target)
        reencoding.level = level
        return reencoding
    }

    private func widths(_ queue: ReencodingQueue) -> [Int?] {
        var (queue, widths) = (queue, [Int?]())
        while let next = queue.popFirst() { widths.append(next.target.width) }
        return widths
    }

    @Test("the most used go first, equals in the order of their arrival")
    func order() throws {
        var queue = ReencodingQueue(limit: 10)
        for (width, level) in [(50, 0), (60, 2), (70, 0), (80, 2), (90, 20)] {
            #expect(queue.insert(try self.reencoding(width, level: level)))
        }
        #expect(queue.count == 5 && self.widths(queue) == [90, 60, 80, 50, 70])
    }

    @Test("a variant waits once, and moves forward when it is used more")
    func moving() throws {
        var queue = ReencodingQueue(limit: 2)
        for (width, level) in [(50, 1), (60, 1), (60, 0), (60, 1), (60, 3)] {
            #expect(queue.insert(try self.reencoding(width, level: level)))
        }
        #expect(queue.count == 2 && self.widths(queue) == [60, 50])
    }

    @Test("when it is full, the least used makes room for one that is used more, and for no other")
    func full() throws {
        var queue = ReencodingQueue(limit: 2)
        queue.insert(try self.reencoding(50, level: 1))
        queue.insert(try self.reencoding(60, level: 2))
        for level in 0...1 { #expect(!queue.insert(try self.reencoding(70, level: level))) }
        #expect(queue.insert(try self.reencoding(80, level: 3)))
        #expect(queue.count == 2 && self.widths(queue) == [80, 60])
        var none = ReencodingQueue(limit: 0)
        #expect(!none.insert(try self.reencoding(50, level: 8)) && none.popFirst() == nil)
    }

    @Test("the order is that of a simple model, over many random steps")
    func model() throws {
        var (queue, random) = (ReencodingQueue(limit: 6), SeededRandom(seed: 7))
        var model: [(width: Int, level: Int)] = []
        for _ in 0..<5000 {
            if random.next() % 3 == 0 {
                let best = model.map(\.level).max()
                let index = model.firstIndex { $0.level == best }
                #expect(queue.popFirst()?.target.width == index.map { model.remove(at: $0).width })
                continue
            }
            let (width, level) = (50 + Int(random.next() % 12), Int(random.next() % 4))
            let isInserted = queue.insert(try self.reencoding(width, level: level))
            if let index = model.firstIndex(where: { $0.width == width }) {
                if level > model[index].level {
                    model.remove(at: index)
                    model.append((width, level))
                }
                #expect(isInserted)
                continue
            }
            if model.count == 6 {
                let least = model.map(\.level).min() ?? 0
                #expect(isInserted == (least < level))
                guard least < level, let index = model.firstIndex(where: { $0.level == least }) else { continue }
                model.remove(at: index)
            }
            model.append((width, level))
        }
        #expect(queue.count == model.count)
    }

    @Test("uses count when they reach the limit, and whenever they have doubled since")
    func levels() {
        var limits = ReencodingLimits()
        #expect((0...255).filter { limits.level(of: $0) != nil } == [1, 2, 4, 8, 16, 32, 64, 128])
        #expect(limits.level(of: 128) == 7)
        limits.uses = 3
        #expect((0...100).compactMap { limits.level(of: $0) == nil ? nil : $0 } == [3, 6, 12, 24, 48, 96])
        limits.uses = 255
        #expect((0...255).filter { limits.level(of: $0) != nil } == [255])
    }
}
