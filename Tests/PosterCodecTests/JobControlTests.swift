import Testing

@testable import PosterCodec

@Suite struct JobControlTests {
    @Test("all targets are wanted until they are dropped, and the last one stops the job")
    func drops() {
        let control = JobControl(targetCount: 32)
        #expect(control.wanted == 0xFFFF_FFFF)
        for index in 0..<31 { #expect(!control.drop(index)) }
        #expect(control.wanted == 1 << 31 && control.isWanted(31) && !control.isWanted(30))
        #expect(!control.drop(30), "dropped before")
        #expect(!control.stop.isRaised)
        #expect(control.drop(31) && control.stop.isRaised)
        #expect(!control.drop(31))
    }

    @Test("an urgency rises and never falls")
    func raises() {
        let control = JobControl(targetCount: 32, urgencies: [0, 1, 2, 9])
        #expect((0..<5).map(control.urgency) == [0, 1, 2, 2, 0])
        control.raise(0, to: 1)
        control.raise(1, to: 0)
        control.raise(31, to: 7)
        #expect((0..<5).map(control.urgency) == [1, 1, 2, 2, 0])
        #expect(control.urgency(of: 31) == 2 && control.urgency(of: 30) == 0)
    }

    @Test("the most urgent target is next, of equals the cheapest, of these the first")
    func chooses() {
        let control = JobControl(targetCount: 4, urgencies: [1, 1, 1, 0])
        let costs: [UInt32] = [30, 20, 20, 1]
        #expect(control.next(of: 0b1111, costs: costs) == 1)
        #expect(control.next(of: 0b1101, costs: costs) == 2)
        #expect(control.next(of: 0b1000, costs: costs) == 3)
        control.raise(3, to: 2)
        #expect(control.next(of: 0b1111, costs: costs) == 3)
        control.drop(3)
        control.drop(1)
        #expect(control.next(of: 0b1111, costs: costs) == 2)
        #expect(control.next(of: 0b1010, costs: costs) == nil)
    }

    @Test("a raised stop flag stops a job with all its targets")
    func stops() {
        let stop = StopFlag()
        let control = JobControl(targetCount: 2, render: RenderControl(stop: stop))
        #expect(control.drop(0) == false && control.drop(1) == true)
        #expect(stop.isRaised)
    }
}
